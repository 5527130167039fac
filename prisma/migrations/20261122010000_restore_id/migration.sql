-- Identifies the data. A database that was restored from a backup counts the same revisions again, for other
-- content. So everything that stores a revision also stores the restore id.
CREATE TABLE "database_identity" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "restore_id" TEXT NOT NULL DEFAULT gen_random_uuid()::text,

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("id")
);
ALTER TABLE database_identity ADD CONSTRAINT database_identity_is_one_row CHECK (id = 1);
INSERT INTO database_identity DEFAULT VALUES;

-- To be called once after a restore, before the API reads the database. Also logs a change of all sites, so
-- that Last-Modified becomes the current time.
CREATE FUNCTION renew_restore_id() RETURNS text LANGUAGE sql AS $$
  INSERT INTO changes (site_id, kind) VALUES (0, 'settings');
  UPDATE database_identity SET restore_id = gen_random_uuid()::text RETURNING restore_id;
$$;

-- Returns the properties of a published article that determine its URLs and lists; null if it is not
-- published.
CREATE OR REPLACE FUNCTION article_state(article articles) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'slug', article.slug,
    'language', article.language,
    'category_slug', (SELECT slug FROM categories WHERE id = article.category_id),
    'author_slug', (SELECT slug FROM authors WHERE id = article.author_id),
    'month', CASE WHEN isfinite(article.published_at)
      THEN to_char(article.published_at AT TIME ZONE 'UTC', 'YYYY-MM') END)
  WHERE article.status = 'published'
$$;
