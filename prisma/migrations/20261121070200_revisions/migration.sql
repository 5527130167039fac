-- Each change of content adds rows to "changes" without a revision. When the transaction commits, each
-- changed site gets one new revision; site 0 stands for all sites. Sites are numbered in ascending order, so
-- that two transactions cannot deadlock, and a counter is locked only during the commit. A sequence would not
-- do: its numbers would be visible before the change is. Later migrations replace most functions of this
-- file.

INSERT INTO revisions (site_id, revision, revised_at) VALUES (0, 1, now());
INSERT INTO api_secrets (name, value)
  VALUES ('cursor', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

CREATE INDEX changes_unnumbered_idx ON changes (site_id) WHERE revision IS NULL;

-- If one commit changes more articles of a site than this, one row of kind `settings` is logged for the whole
-- site.
CREATE FUNCTION changes_limit() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 500;

-- Returns the properties of a published article that determine its URLs and lists; null if it is not
-- published.
CREATE FUNCTION article_state(article articles) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'slug', article.slug,
    'language', article.language,
    'category_slug', (SELECT slug FROM categories WHERE id = article.category_id),
    'author_slug', (SELECT slug FROM authors WHERE id = article.author_id))
  WHERE article.status = 'published'
$$;

-- Logs changes of published articles. Drafts are not logged, because no visitor sees them.
CREATE FUNCTION log_article_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    INSERT INTO changes (site_id, kind, article_id, before, after)
    WITH touched AS (
      SELECT coalesce(c.site_id, p.site_id) AS site_id, coalesce(c.id, p.id) AS id, p::articles AS p, c::articles AS c
      FROM (SELECT * FROM %s AS rows WHERE status = 'published') AS p
      FULL JOIN (SELECT * FROM %s AS rows WHERE status = 'published') AS c ON c.id = p.id AND c.site_id = p.site_id
      WHERE p IS DISTINCT FROM c),
    counted AS (SELECT *, count(*) OVER (PARTITION BY site_id) <= changes_limit() AS few FROM touched)
    SELECT site_id, 'article', id, article_state(p), article_state(c) FROM counted WHERE few
    UNION ALL SELECT DISTINCT site_id, 'settings', NULL::integer, NULL::jsonb, NULL::jsonb FROM counted WHERE NOT few
  $sql$,
    CASE TG_OP WHEN 'INSERT' THEN '(SELECT * FROM articles WHERE false)' ELSE 'previous' END,
    CASE TG_OP WHEN 'DELETE' THEN '(SELECT * FROM articles WHERE false)' ELSE 'current' END);
  RETURN NULL;
END
$$;

CREATE FUNCTION log_article_tag_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    INSERT INTO changes (site_id, kind, article_id, before, after)
    WITH counted AS (
      SELECT a, site_id, id, count(*) OVER (PARTITION BY site_id) <= changes_limit() AS few
      FROM articles AS a WHERE status = 'published' AND id IN (%s))
    SELECT site_id, 'article', id, article_state(a), article_state(a) FROM counted WHERE few
    UNION ALL SELECT DISTINCT site_id, 'settings', NULL::integer, NULL::jsonb, NULL::jsonb FROM counted WHERE NOT few
  $sql$,
    CASE TG_OP WHEN 'INSERT' THEN 'SELECT article_id FROM current'
               WHEN 'DELETE' THEN 'SELECT article_id FROM previous'
               ELSE 'SELECT article_id FROM previous UNION SELECT article_id FROM current' END);
  RETURN NULL;
END
$$;

-- Logs changed rows of a table. Arguments: the kind, and an expression for the site of a row.
CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO changes (site_id, kind) SELECT DISTINCT %s, %L FROM (%s) AS rows',
    TG_ARGV[1], TG_ARGV[0],
    CASE TG_OP WHEN 'INSERT' THEN 'TABLE current'
               WHEN 'DELETE' THEN 'TABLE previous'
               ELSE '(TABLE previous EXCEPT TABLE current) UNION ALL (TABLE current EXCEPT TABLE previous)' END);
  RETURN NULL;
END
$$;

CREATE FUNCTION log_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (site_id, kind) VALUES (0, 'settings');
  RETURN NULL;
END
$$;

DO $$
DECLARE
  watched record;
BEGIN
  FOR watched IN SELECT * FROM (VALUES
    ('articles', 'log_article_changes()'),
    ('article_tags', 'log_article_tag_changes()'),
    ('article_scores', $f$log_changes('scores', 'site_id')$f$),
    -- A domain may move from one site to another. So a change of a site is logged for all sites.
    ('sites', $f$log_changes('settings', '0')$f$),
    ('site_settings', $f$log_changes('settings', 'site_id')$f$),
    ('site_languages', $f$log_changes('settings', 'site_id')$f$),
    ('navigation_items', $f$log_changes('settings', 'site_id')$f$),
    ('categories', $f$log_changes('settings', 'site_id')$f$),
    ('tags', $f$log_changes('settings', 'site_id')$f$),
    ('authors', $f$log_changes('settings', 'site_id')$f$),
    ('images', $f$log_changes('settings', 'coalesce(site_id, 0)')$f$),
    ('template_overrides', $f$log_changes('settings', 'site_id')$f$),
    ('template_blocks', $f$log_changes('settings', '0')$f$),
    ('template_elements', $f$log_changes('settings', '0')$f$),
    ('global_settings', $f$log_changes('settings', '0')$f$)
  ) AS list (name, call)
  LOOP
    -- No page shows a picture that was just uploaded.
    IF watched.name <> 'images' THEN
      EXECUTE format('CREATE TRIGGER %1$s_log_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE AS current
        FOR EACH STATEMENT EXECUTE FUNCTION %2$s', watched.name, watched.call);
    END IF;
    EXECUTE format('CREATE TRIGGER %1$s_log_update AFTER UPDATE ON %1$s
      REFERENCING OLD TABLE AS previous NEW TABLE AS current
      FOR EACH STATEMENT EXECUTE FUNCTION %2$s', watched.name, watched.call);
    EXECUTE format('CREATE TRIGGER %1$s_log_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS previous
      FOR EACH STATEMENT EXECUTE FUNCTION %2$s', watched.name, watched.call);
    EXECUTE format('CREATE TRIGGER %1$s_log_truncate AFTER TRUNCATE ON %1$s
      FOR EACH STATEMENT EXECUTE FUNCTION log_truncation()', watched.name);
  END LOOP;
END
$$;

-- Adds the next revision of a site. Its time is a whole second after every time that the API can have sent
-- for the site (of its revision, of the revision of all sites, of a scheduled article that appeared), so that
-- Last-Modified differs whenever the content differs. After many commits in a short time, it is ahead of the
-- clock.
CREATE FUNCTION next_revision(scope integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  latest timestamptz(3);
  appeared timestamptz(3);
  numbered bigint;
BEGIN
  IF scope = 0 THEN
    PERFORM FROM revisions WHERE site_id = 0 FOR UPDATE;
    SELECT max(revised_at) INTO latest FROM revisions;
  ELSE
    PERFORM FROM revisions WHERE site_id = 0 FOR SHARE;
    PERFORM FROM revisions WHERE site_id = scope FOR UPDATE;
    SELECT max(revised_at) INTO latest FROM revisions WHERE site_id IN (0, scope);
  END IF;
  SELECT max(newest.published_at) INTO appeared
  FROM sites, LATERAL (
    SELECT published_at FROM articles
    WHERE site_id = sites.id AND status = 'published' AND published_at <= clock_timestamp() + interval '1 second'
    ORDER BY published_at DESC LIMIT 1) AS newest
  WHERE scope IN (0, sites.id);
  -- The time of an article is the first whole second at which it is visible.
  latest := greatest(latest, date_trunc('second', appeared + interval '999 milliseconds'));
  INSERT INTO revisions AS r (site_id, revision, revised_at)
  VALUES (scope, 1, greatest(clock_timestamp(), date_trunc('second', latest) + interval '1 second'))
  ON CONFLICT (site_id) DO UPDATE SET revision = r.revision + 1, revised_at = excluded.revised_at
  RETURNING revision INTO numbered;
  RETURN numbered;
END
$$;

-- Runs at commit for each logged row. The first call numbers all rows of the transaction; no other
-- transaction sees them.
CREATE FUNCTION number_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scope integer;
  numbered bigint;
BEGIN
  PERFORM FROM changes WHERE id = NEW.id AND revision IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  FOR scope IN SELECT DISTINCT site_id FROM changes WHERE revision IS NULL ORDER BY site_id LOOP
    numbered := next_revision(scope);
    IF (SELECT count(*) FROM changes WHERE revision IS NULL AND site_id = scope) > changes_limit() THEN
      DELETE FROM changes WHERE revision IS NULL AND site_id = scope;
      INSERT INTO changes (site_id, kind, revision) VALUES (scope, 'settings', numbered);
    END IF;
    UPDATE changes SET revision = numbered WHERE revision IS NULL AND site_id = scope;
    DELETE FROM changes WHERE site_id = scope AND changed_at < now() - interval '7 days';
  END LOOP;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER changes_number AFTER INSERT ON changes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.revision IS NULL)
  EXECUTE FUNCTION number_changes();
