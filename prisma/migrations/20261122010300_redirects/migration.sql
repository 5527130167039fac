-- Redirects of renamed and deleted articles. Paths are not percent-encoded: `/old-slug`, `/de/alter-name`.
CREATE TABLE "redirects" (
    "site_id" INTEGER NOT NULL,
    "from_path" TEXT NOT NULL,
    "to_path" TEXT,
    "status" INTEGER NOT NULL DEFAULT 301,

    CONSTRAINT "redirects_pkey" PRIMARY KEY ("site_id","from_path")
);
CREATE INDEX "redirects_site_id_to_path_idx" ON "redirects"("site_id", "to_path");
ALTER TABLE "redirects" ADD CONSTRAINT "redirects_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE redirects
  ADD CONSTRAINT redirects_from_path_is_path CHECK (is_site_path(from_path)),
  ADD CONSTRAINT redirects_to_path_is_path CHECK (is_site_path(to_path)),
  ADD CONSTRAINT redirects_status_is_301_302_or_410 CHECK (status IN (301, 302, 410)),
  ADD CONSTRAINT redirects_only_410_has_no_target CHECK ((status = 410) = (to_path IS NULL)),
  ADD CONSTRAINT redirects_lead_elsewhere CHECK (to_path <> from_path);

-- A new redirect to a path that is redirected gets the target of that redirect. A cycle violates
-- redirects_lead_elsewhere. enable_seqscan is off here and below: a plan that was cached while the table was
-- small would scan the whole table for each row of a large statement.
CREATE FUNCTION shorten_redirect() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  onward redirects;
BEGIN
  SELECT * INTO onward FROM redirects
  WHERE site_id = NEW.site_id AND from_path = NEW.to_path AND from_path <> NEW.from_path;
  IF FOUND THEN
    NEW.to_path := onward.to_path;
    NEW.status := CASE WHEN onward.status = 410 THEN 410 ELSE greatest(NEW.status, onward.status) END;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER redirects_shorten BEFORE INSERT OR UPDATE OF from_path, to_path ON redirects
  FOR EACH ROW WHEN (NEW.to_path IS NOT NULL) EXECUTE FUNCTION shorten_redirect();

-- Redirects to a path that is redirected now get the target of the new redirect.
CREATE FUNCTION extend_redirects() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE redirects SET to_path = NEW.to_path,
    status = CASE WHEN NEW.status = 410 THEN 410 ELSE greatest(status, NEW.status) END
  WHERE site_id = NEW.site_id AND to_path = NEW.from_path AND from_path <> NEW.from_path;
  RETURN NULL;
END
$$;
CREATE TRIGGER redirects_extend AFTER INSERT OR UPDATE OF from_path, to_path, status ON redirects
  FOR EACH ROW EXECUTE FUNCTION extend_redirects();

-- Returns the path of an article: `/slug` in the default language, `/language/slug` in others.
CREATE FUNCTION article_path(site integer, language text, slug text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN language = default_language THEN '' ELSE '/' || language END || '/' || slug
  FROM sites WHERE id = site
$$;

-- Adds redirects: 301 from the old path of a published article to its new path, 410 for the path of a deleted
-- published article. Deletes redirects from paths at which an article is published.
CREATE FUNCTION redirect_articles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND EXISTS (SELECT FROM redirects) THEN
    DELETE FROM redirects AS r USING (
      SELECT site_id, article_path(site_id, language, slug) AS path FROM current WHERE status = 'published') AS c
    WHERE r.site_id = c.site_id AND r.from_path = c.path;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    PERFORM put_redirect(p.site_id, article_path(p.site_id, p.language, p.slug), article_path(c.site_id, c.language, c.slug))
    FROM previous AS p JOIN current AS c ON c.id = p.id AND c.site_id = p.site_id
    WHERE p.status = 'published' AND p.published_at <= now() AND c.status = 'published'
      AND (p.language, p.slug) <> (c.language, c.slug) AND needs_redirect(p.site_id, p.language, p.slug);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM put_redirect(p.site_id, article_path(p.site_id, p.language, p.slug), NULL) FROM previous AS p
    WHERE p.status <> 'draft' AND p.published_at <= now() AND needs_redirect(p.site_id, p.language, p.slug);
  END IF;
  RETURN NULL;
END
$$;

-- Adds a redirect, and deletes an earlier one of the path. Does nothing if a path is invalid.
CREATE FUNCTION put_redirect(site integer, origin text, target text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF is_site_path(origin) AND (target IS NULL OR is_site_path(target)) THEN
    DELETE FROM redirects WHERE site_id = site AND from_path = origin;
    INSERT INTO redirects (site_id, from_path, to_path, status)
    VALUES (site, origin, target, CASE WHEN target IS NULL THEN 410 ELSE 301 END);
  END IF;
END
$$;

-- Whether the path of a moved or deleted article needs a redirect: no other published article has it, and the
-- site is not being deleted.
CREATE FUNCTION needs_redirect(site integer, language text, slug text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM sites WHERE id = site) AND NOT EXISTS (
    SELECT FROM articles AS a WHERE a.site_id = site AND a.slug = needs_redirect.slug
      AND a.language = needs_redirect.language AND a.status = 'published')
$$;

CREATE TRIGGER articles_redirect_insert AFTER INSERT ON articles REFERENCING NEW TABLE AS current
  FOR EACH STATEMENT EXECUTE FUNCTION redirect_articles();
CREATE TRIGGER articles_redirect_update AFTER UPDATE ON articles REFERENCING OLD TABLE AS previous NEW TABLE AS current
  FOR EACH STATEMENT EXECUTE FUNCTION redirect_articles();
CREATE TRIGGER articles_redirect_delete AFTER DELETE ON articles REFERENCING OLD TABLE AS previous
  FOR EACH STATEMENT EXECUTE FUNCTION redirect_articles();

-- Logs redirects that a writer changes. Those that triggers add are not logged: the change of the article is.
CREATE FUNCTION log_redirects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() = 1 THEN
    INSERT INTO changes (site_id, kind) VALUES (coalesce(NEW.site_id, OLD.site_id), 'settings');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER redirects_log AFTER INSERT OR UPDATE OR DELETE ON redirects
  FOR EACH ROW EXECUTE FUNCTION log_redirects();
CREATE TRIGGER redirects_log_truncate AFTER TRUNCATE ON redirects
  FOR EACH STATEMENT EXECUTE FUNCTION log_truncation();
ALTER TABLE redirects ENABLE ALWAYS TRIGGER redirects_log;
ALTER TABLE redirects ENABLE ALWAYS TRIGGER redirects_log_truncate;
