-- Each translation of an article links to the others. So they are logged too when one of them is published,
-- is removed or gets another URL.
CREATE OR REPLACE FUNCTION log_article_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    INSERT INTO changes (site_id, kind, article_id, before, after)
    WITH touched AS (
      SELECT coalesce(c.site_id, p.site_id) AS site_id, coalesce(c.id, p.id) AS id, p::articles AS p, c::articles AS c
      FROM (SELECT * FROM %s AS rows WHERE status = 'published') AS p
      FULL JOIN (SELECT * FROM %s AS rows WHERE status = 'published') AS c ON c.id = p.id AND c.site_id = p.site_id
      WHERE p IS DISTINCT FROM c),
    counted AS (SELECT *, count(*) OVER (PARTITION BY site_id) <= changes_limit() AS few FROM touched),
    moved AS (
      SELECT DISTINCT site_id, unnest(ARRAY[(p).translation_group, (c).translation_group]) AS translation_group
      FROM counted
      WHERE few AND ((p).slug, (p).language, (p).translation_group, (p).published_at)
        IS DISTINCT FROM ((c).slug, (c).language, (c).translation_group, (c).published_at))
    SELECT site_id, 'article', id, article_state(p), article_state(c) FROM counted WHERE few
    UNION ALL SELECT a.site_id, 'article', a.id, article_state(a), article_state(a)
      FROM moved JOIN articles AS a USING (site_id, translation_group)
      WHERE a.status = 'published' AND a.id NOT IN (SELECT id FROM touched)
    UNION ALL SELECT DISTINCT site_id, 'settings', NULL::integer, NULL::jsonb, NULL::jsonb FROM counted WHERE NOT few
  $sql$,
    CASE TG_OP WHEN 'INSERT' THEN '(SELECT * FROM articles WHERE false)' ELSE 'previous' END,
    CASE TG_OP WHEN 'DELETE' THEN '(SELECT * FROM articles WHERE false)' ELSE 'current' END);
  RETURN NULL;
END
$$;
