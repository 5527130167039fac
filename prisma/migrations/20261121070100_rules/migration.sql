-- Rules that schema.prisma cannot express: checks, unique indexes that compare nulls, partial indexes and
-- indexes on expressions. Also inserts the row of global settings.

ALTER TABLE sites ADD CONSTRAINT sites_names_are_lower_case
  CHECK (acronym = lower(acronym) AND domain = lower(domain));
ALTER TABLE global_settings ADD CONSTRAINT global_settings_is_one_row CHECK (id = 1);
ALTER TABLE site_languages ADD CONSTRAINT site_languages_direction_check CHECK (direction IN ('ltr', 'rtl'));
ALTER TABLE navigation_items ADD CONSTRAINT navigation_items_area_check CHECK (area IN ('header', 'footer'));
ALTER TABLE template_elements ADD CONSTRAINT template_elements_type_check
  CHECK (type IN ('layout', 'page', 'partial'));
ALTER TABLE articles ADD CONSTRAINT articles_status_check
  CHECK (status IN ('draft', 'published', 'unpublished'));
ALTER TABLE articles ADD CONSTRAINT articles_published_has_an_instant
  CHECK (status <> 'published' OR published_at IS NOT NULL);
ALTER TABLE article_versions ADD CONSTRAINT article_versions_version_check CHECK (version >= 1);

INSERT INTO global_settings (id) VALUES (1);

DROP INDEX template_blocks_element_id_theme_language_key;
CREATE UNIQUE INDEX template_blocks_element_id_theme_language_key
  ON template_blocks (element_id, theme, language) NULLS NOT DISTINCT;
DROP INDEX template_overrides_site_id_element_id_language_key;
CREATE UNIQUE INDEX template_overrides_site_id_element_id_language_key
  ON template_overrides (site_id, element_id, language) NULLS NOT DISTINCT;

-- Order of lists with kind=featured: newest first.
CREATE INDEX articles_featured_idx ON articles (site_id, published_at DESC, id DESC)
  WHERE status = 'published' AND is_featured;
CREATE INDEX articles_featured_language_idx ON articles (site_id, language, published_at DESC, id DESC)
  WHERE status = 'published' AND is_featured;

-- Order of lists with kind=homepage: by homepage_position, then newest first. The position is negated, so
-- that all three keys descend: then a cursor can be compared with them as one row.
CREATE INDEX articles_homepage_idx
  ON articles (site_id, (-coalesce(homepage_position, 2147483647)) DESC, published_at DESC, id DESC)
  WHERE status = 'published' AND show_in_homepage;
CREATE INDEX articles_homepage_language_idx
  ON articles (site_id, language, (-coalesce(homepage_position, 2147483647)) DESC, published_at DESC, id DESC)
  WHERE status = 'published' AND show_in_homepage;

-- The sitemap, oldest first. The index includes all columns that it needs, so that the table is not read.
CREATE INDEX articles_sitemap_idx ON articles (site_id, published_at, id)
  INCLUDE (content_type, slug, language, updated_at)
  WHERE status = 'published' AND (is_featured OR show_in_homepage);

-- Sets updated_at when a writer changes an article without setting it.
CREATE FUNCTION touch_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := greatest(now(), OLD.updated_at);
  RETURN NEW;
END
$$;
CREATE TRIGGER articles_touch
  BEFORE UPDATE OF slug, language, content_type, status, title, subtitle, description, body_html, category_id, author_id,
    image_id, seo_title, seo_description, seo_canonical_url, seo_robots, seo_image_id ON articles
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at AND NEW IS DISTINCT FROM OLD)
  EXECUTE FUNCTION touch_article();
