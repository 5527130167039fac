-- What PSL has no words for: checks, uniqueness of nulls, partial and expression indexes, and one row of defaults.

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

-- Keyset of kind=featured, newest first.
CREATE INDEX articles_featured_idx ON articles (site_id, published_at DESC, id DESC)
  WHERE status = 'published' AND is_featured;
CREATE INDEX articles_featured_language_idx ON articles (site_id, language, published_at DESC, id DESC)
  WHERE status = 'published' AND is_featured;

-- Keyset of kind=homepage: the editors' position, then newest. Negated, all three keys descend and compare as a row.
CREATE INDEX articles_homepage_idx
  ON articles (site_id, (-coalesce(homepage_position, 2147483647)) DESC, published_at DESC, id DESC)
  WHERE status = 'published' AND show_in_homepage;
CREATE INDEX articles_homepage_language_idx
  ON articles (site_id, language, (-coalesce(homepage_position, 2147483647)) DESC, published_at DESC, id DESC)
  WHERE status = 'published' AND show_in_homepage;

-- The sitemap, oldest first, without a visit to the table.
CREATE INDEX articles_sitemap_idx ON articles (site_id, published_at, id)
  INCLUDE (content_type, slug, language, updated_at)
  WHERE status = 'published' AND (is_featured OR show_in_homepage);

-- Writers that do not set it themselves still leave a true updated_at.
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
