-- Each revision is a new row. Updating a counter would fail under REPEATABLE READ, where the second of two
-- concurrent commits must not update a row that the first has changed. Numbers come from a sequence. An
-- advisory lock per site, held from taking a number to the end of the commit, makes revisions visible in the
-- order of their numbers.
ALTER TABLE "revisions" DROP CONSTRAINT "revisions_pkey";
ALTER TABLE "revisions" ALTER COLUMN "revision" DROP DEFAULT;
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_pkey" PRIMARY KEY ("site_id", "revision");
CREATE INDEX "revisions_site_id_revised_at_idx" ON "revisions"("site_id", "revised_at");
CREATE SEQUENCE revision_numbers OWNED BY revisions.revision;
SELECT setval('revision_numbers', (SELECT greatest(max(revision), 1) FROM revisions));

-- Translations and related articles are looked up when the log is read. `translation_groups`: before and
-- after the change. `category_id` and `tag_ids`: before the change; tag_ids only if lists of related articles
-- are affected.
ALTER TABLE "changes" ADD COLUMN "translation_groups" UUID[];
ALTER TABLE "changes" ADD COLUMN "category_id" INTEGER;
ALTER TABLE "changes" ADD COLUMN "tag_ids" INTEGER[];
DROP INDEX "changes_site_id_changed_at_idx";
DROP INDEX changes_unnumbered_idx;
CREATE INDEX changes_unnumbered_idx ON changes (site_id, article_id) WHERE revision IS NULL;

-- Like before, but long texts are cut: no path can contain them.
CREATE OR REPLACE FUNCTION article_state(article articles) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'slug', left(article.slug, 1000),
    'language', left(article.language, 100),
    'category_slug', (SELECT left(slug, 1000) FROM categories WHERE id = article.category_id LIMIT 1),
    'author_slug', (SELECT left(slug, 1000) FROM authors WHERE id = article.author_id LIMIT 1),
    'month', CASE WHEN isfinite(article.published_at)
      THEN to_char(article.published_at AT TIME ZONE 'UTC', 'YYYY-MM') END)
  WHERE article.status = 'published'
$$;

-- When the deletion of an article is logged, at the end of the statement, its tags are already deleted. So
-- they are stored in the log before, in a row of kind `tags`.
CREATE FUNCTION log_tags_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (site_id, kind, article_id, tag_ids)
  VALUES (OLD.site_id, 'tags', OLD.id, ARRAY(SELECT tag_id FROM article_tags WHERE article_id = OLD.id));
  RETURN OLD;
END
$$;
CREATE TRIGGER articles_log_tags BEFORE DELETE ON articles
  FOR EACH ROW WHEN (OLD.status = 'published') EXECUTE FUNCTION log_tags_of_deleted();

-- Logs the change of one article: `p` is its previous row, `c` its current row; either may be null. Nothing
-- is logged if the article was and is unpublished.
CREATE FUNCTION log_article(p articles, c articles) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  tags integer[];
BEGIN
  IF p.status IS DISTINCT FROM 'published' THEN
    p := NULL;
  END IF;
  IF c.status IS DISTINCT FROM 'published' THEN
    c := NULL;
  END IF;
  IF p IS NOT DISTINCT FROM c THEN
    RETURN;
  END IF;
  IF p.id IS NOT NULL AND (p.title, p.slug, p.language, p.image_id, p.content_type, p.published_at)
    IS DISTINCT FROM (c.title, c.slug, c.language, c.image_id, c.content_type, c.published_at)
  THEN
    SELECT tag_ids INTO tags FROM changes
    WHERE revision IS NULL AND site_id = p.site_id AND article_id = p.id AND kind = 'tags' ORDER BY id DESC LIMIT 1;
    IF tags IS NULL THEN
      tags := ARRAY(SELECT tag_id FROM article_tags WHERE article_id = p.id);
    END IF;
  END IF;
  INSERT INTO changes (site_id, kind, article_id, before, after, translation_groups, category_id, tag_ids)
  VALUES (coalesce(c.site_id, p.site_id), 'article', coalesce(c.id, p.id), article_state(p), article_state(c),
    ARRAY[p.translation_group, c.translation_group], p.category_id, tags);
END
$$;

-- If a statement changes more than changes_limit() articles of a site, one row of kind `settings` is logged
-- for the site.
CREATE OR REPLACE FUNCTION log_article_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  many integer[];
BEGIN
  IF TG_LEVEL = 'ROW' AND TG_OP = 'INSERT' THEN
    PERFORM log_article(NULL, NEW);
  ELSIF TG_LEVEL = 'ROW' AND TG_OP = 'DELETE' THEN
    PERFORM log_article(OLD, NULL);
  ELSIF TG_LEVEL = 'ROW' THEN
    PERFORM log_article(OLD, NEW);
  ELSIF TG_OP = 'INSERT' THEN
    many := ARRAY(SELECT site_id FROM current WHERE status = 'published'
      GROUP BY site_id HAVING count(*) > changes_limit());
    PERFORM log_article(NULL, c) FROM current AS c WHERE c.status = 'published' AND c.site_id <> ALL (many);
  ELSIF TG_OP = 'DELETE' THEN
    many := ARRAY(SELECT site_id FROM previous WHERE status = 'published'
      GROUP BY site_id HAVING count(*) > changes_limit());
    PERFORM log_article(p, NULL) FROM previous AS p WHERE p.status = 'published' AND p.site_id <> ALL (many);
  ELSE
    many := ARRAY(SELECT site_id FROM (TABLE previous UNION ALL TABLE current) AS both_sides WHERE status = 'published'
      GROUP BY site_id HAVING count(DISTINCT id) > changes_limit());
    PERFORM log_article(p, c) FROM previous AS p JOIN current AS c ON c.id = p.id AND c.site_id = p.site_id
    WHERE 'published' IN (p.status, c.status) AND p.site_id <> ALL (many);
    -- An article that moves to another site is deleted on one site and new on the other.
    PERFORM log_article(p, NULL) FROM previous AS p JOIN current AS c ON c.id = p.id
    WHERE c.site_id <> p.site_id AND p.site_id <> ALL (many);
    PERFORM log_article(NULL, c) FROM previous AS p JOIN current AS c ON c.id = p.id
    WHERE c.site_id <> p.site_id AND c.site_id <> ALL (many);
  END IF;
  INSERT INTO changes (site_id, kind) SELECT unnest(many), 'settings';
  RETURN NULL;
END
$$;

CREATE FUNCTION log_tagged_articles(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > changes_limit() THEN
    INSERT INTO changes (site_id, kind)
    SELECT DISTINCT site_id, 'settings' FROM articles WHERE status = 'published' AND id = ANY (ids);
  ELSE
    INSERT INTO changes (site_id, kind, article_id, before, after, translation_groups)
    SELECT site_id, 'article', id, article_state(a), article_state(a), ARRAY[translation_group]
    FROM articles AS a WHERE status = 'published' AND id = ANY (ids);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION log_article_tag_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    PERFORM log_tagged_articles(ARRAY[
      CASE WHEN TG_OP <> 'INSERT' THEN OLD.article_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.article_id END]);
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM log_tagged_articles(ARRAY(SELECT DISTINCT article_id FROM current));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_tagged_articles(ARRAY(SELECT DISTINCT article_id FROM previous));
  ELSE
    PERFORM log_tagged_articles(ARRAY(SELECT article_id FROM previous UNION SELECT article_id FROM current));
  END IF;
  RETURN NULL;
END
$$;

-- Returns a FROM item for dynamic SQL, with the previous or the current rows of a change: the transition
-- table of a statement-level trigger, or the row of a row-level trigger, which is passed as JSON in $1
-- (previous) and $2 (current).
CREATE FUNCTION rows_of(side text, operation text, level text, relation regclass) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN side = 'previous' AND operation = 'INSERT' OR side = 'current' AND operation = 'DELETE'
      THEN format('(SELECT * FROM %s WHERE false)', relation)
    WHEN level = 'ROW'
      THEN format('jsonb_populate_record(NULL::%s, %s)', relation, CASE side WHEN 'previous' THEN '$1' ELSE '$2' END)
    ELSE side END
$$;

CREATE OR REPLACE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    INSERT INTO changes (site_id, kind)
    WITH p AS (SELECT * FROM %s AS rows), c AS (SELECT * FROM %s AS rows)
    SELECT DISTINCT %s, %L FROM ((TABLE p EXCEPT TABLE c) UNION ALL (TABLE c EXCEPT TABLE p)) AS rows
  $sql$,
    rows_of('previous', TG_OP, TG_LEVEL, TG_RELID), rows_of('current', TG_OP, TG_LEVEL, TG_RELID),
    TG_ARGV[1], TG_ARGV[0])
  USING CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
    CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  RETURN NULL;
END
$$;

-- If session_replication_role is replica (logical replication, some tools that load data), ordinary triggers
-- do not fire. Logical replication fires no statement-level triggers except those of TRUNCATE. So row-level
-- triggers log the same changes there, and the trigger that numbers the log always fires. Triggers that
-- complete the rows of a writer (articles_touch, lower-case languages, redirects) do not fire: the rows were
-- completed in the source database.
DO $$
DECLARE
  logging record;
BEGIN
  FOR logging IN
    SELECT tgrelid::regclass AS relation, tgname AS name, pg_get_triggerdef(oid) AS definition
    FROM pg_trigger WHERE tgname ~ '_log_(insert|update|delete|truncate)$'
  LOOP
    IF logging.name ~ '_truncate$' THEN
      EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', logging.relation, logging.name);
    ELSE
      EXECUTE replace(regexp_replace(regexp_replace(logging.definition, ' REFERENCING .* FOR EACH STATEMENT', ' FOR EACH ROW'),
        '_log_(insert|update|delete)', '_log_replicated_\1'), 'CREATE OR REPLACE', 'CREATE');
      EXECUTE format('ALTER TABLE %s ENABLE REPLICA TRIGGER %I', logging.relation,
        replace(logging.name, '_log_', '_log_replicated_'));
    END IF;
  END LOOP;
END
$$;
-- A row of kind `tags` needs no number of its own: the deletion of the article adds another row.
DROP TRIGGER changes_number ON changes;
CREATE CONSTRAINT TRIGGER changes_number AFTER INSERT ON changes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.revision IS NULL AND NEW.kind <> 'tags')
  EXECUTE FUNCTION number_changes();
ALTER TABLE changes ENABLE ALWAYS TRIGGER changes_number;
ALTER TABLE articles ENABLE ALWAYS TRIGGER articles_log_tags;

DROP FUNCTION next_revision(integer);
CREATE FUNCTION next_revision(scope integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  numbered bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(4100312, scope);
  INSERT INTO revisions (site_id, revision, revised_at)
  VALUES (scope, nextval('revision_numbers'), greatest(clock_timestamp(),
    (SELECT revised_at FROM revisions WHERE site_id = scope ORDER BY revision DESC LIMIT 1)))
  RETURNING revision INTO numbered;
  RETURN numbered;
END
$$;

-- Deletes revisions and changes that are older than a week, but never the newest revision.
CREATE FUNCTION prune_changes(scope integer, newest bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM revisions WHERE site_id = scope AND revised_at < now() - interval '7 days' AND revision < newest;
  IF FOUND THEN
    DELETE FROM changes WHERE site_id = scope
      AND revision < (SELECT min(revision) FROM revisions WHERE site_id = scope);
  END IF;
END
$$;

-- Runs at commit for each logged row. The first call numbers all rows of the transaction; no other
-- transaction sees them. Sites are numbered in ascending order, so that two transactions cannot deadlock.
CREATE OR REPLACE FUNCTION number_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  scope integer;
  numbered bigint;
BEGIN
  PERFORM FROM changes WHERE id = NEW.id AND revision IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM changes WHERE revision IS NULL AND kind = 'tags';
  FOR scope IN SELECT DISTINCT site_id FROM changes WHERE revision IS NULL ORDER BY site_id LOOP
    numbered := next_revision(scope);
    IF (SELECT count(*) FROM changes WHERE revision IS NULL AND site_id = scope) > changes_limit() THEN
      DELETE FROM changes WHERE revision IS NULL AND site_id = scope;
      INSERT INTO changes (site_id, kind, revision) VALUES (scope, 'settings', numbered);
    END IF;
    UPDATE changes SET revision = numbered WHERE revision IS NULL AND site_id = scope;
    IF current_setting('transaction_isolation') = 'read committed' THEN
      PERFORM prune_changes(scope, numbered);
    ELSE
      -- Another commit may have deleted the same rows, which are still visible in this transaction's
      -- snapshot.
      BEGIN
        PERFORM prune_changes(scope, numbered);
      EXCEPTION WHEN serialization_failure THEN
        NULL;
      END;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
