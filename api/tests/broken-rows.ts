/** A write that violates the constraint `rule` and succeeds without constraints. */
export type BrokenWrite = [rule: string, sql: string]

/** Id of the rows that the writes below change. The pages that the test requests do not depend on them. */
export const TARGET_ID = 100

/** Replaces the rows with the id `TARGET_ID` by valid rows. */
export const RESET_TARGETS = `
DELETE FROM article_versions WHERE article_id = ${TARGET_ID};
DELETE FROM article_tags WHERE article_id = ${TARGET_ID} OR tag_id = ${TARGET_ID};
UPDATE articles SET image_id = NULL, author_id = NULL WHERE slug IN ('a4', 'a5');
DELETE FROM articles WHERE id = ${TARGET_ID};
DELETE FROM redirects WHERE site_id = 1;
DELETE FROM authors WHERE id = ${TARGET_ID};
DELETE FROM images WHERE id = ${TARGET_ID};
DELETE FROM categories WHERE id = ${TARGET_ID};
DELETE FROM tags WHERE id = ${TARGET_ID};
DELETE FROM navigation_items WHERE id = ${TARGET_ID};
DELETE FROM template_overrides WHERE id = ${TARGET_ID};
DELETE FROM template_blocks WHERE id = ${TARGET_ID};
DELETE FROM template_elements WHERE id = ${TARGET_ID};
INSERT INTO images (id, site_id, key, alt, width, height, mime_type)
  VALUES (${TARGET_ID}, 1, 'target.jpg', '', 8, 6, 'image/jpeg');
INSERT INTO authors (id, site_id, slug, name, social_links, expertise) VALUES (${TARGET_ID}, 1, 'target', 'Target', '{}', '{}');
INSERT INTO categories (id, site_id, slug, language, name) VALUES (${TARGET_ID}, 1, 'target', 'en', 'Target');
INSERT INTO tags (id, site_id, slug, language, name) VALUES (${TARGET_ID}, 1, 'target', 'en', 'Target');
INSERT INTO navigation_items (id, site_id, area, label, path) VALUES (${TARGET_ID}, 1, 'header', 'Target', '/target');
INSERT INTO template_elements (id, key, type, title, source) VALUES (${TARGET_ID}, 'target', 'page', 'Target', 'source');
INSERT INTO template_blocks (id, element_id, theme, source) VALUES (${TARGET_ID}, ${TARGET_ID}, 'harbour', 'block');
INSERT INTO template_overrides (id, element_id, site_id, source) VALUES (${TARGET_ID}, ${TARGET_ID}, 1, 'override');
INSERT INTO articles (id, site_id, slug, language, title, status, published_at, category_id, author_id, image_id,
  is_featured)
  VALUES (${TARGET_ID}, 1, 'target', 'en', 'Target', 'published', '2026-01-09', ${TARGET_ID}, ${TARGET_ID}, ${TARGET_ID}, true);
INSERT INTO article_tags VALUES (${TARGET_ID}, ${TARGET_ID}), (${TARGET_ID}, 1);
INSERT INTO article_versions (article_id, version, snapshot) VALUES (${TARGET_ID}, 1, '{"title": "Old"}');
INSERT INTO redirects (site_id, from_path, to_path) VALUES (1, '/gone', '/a1');
UPDATE articles SET image_id = ${TARGET_ID}, author_id = ${TARGET_ID} WHERE slug IN ('a4', 'a5');
`

/** SQL condition for the target row, in tables that have none with the id `TARGET_ID`. */
const WHERE_TARGET: Record<string, string> = {
  sites: 'id = 1',
  global_settings: 'id = 1',
  site_settings: 'site_id = 1',
  site_languages: `site_id = 1 AND name <> 'English'`,
  article_versions: `article_id = ${TARGET_ID}`,
  article_scores: 'article_id = 1',
  article_tags: `article_id = ${TARGET_ID}`,
  redirects: 'site_id = 1',
}

/** Creates the UPDATE of a target row. */
export const set = (table: string, assignment: string): string =>
  `UPDATE ${table} SET ${assignment} WHERE ${WHERE_TARGET[table] ?? `id = ${TARGET_ID}`}`

const inSettings = (column: string, rule: string, value: string): BrokenWrite[] =>
  ['site_settings', 'global_settings'].map((table) => [
    `${table}_${column}_${rule}`,
    set(table, `${column} = ${value}`),
  ])

/** At least one write per constraint or trigger. The test reads length limits from `pg_catalog` instead. */
export const BROKEN_WRITES: readonly BrokenWrite[] = [
  ['sites_acronym_is_given', set('sites', `acronym = ''`)],
  ['sites_names_are_lower_case', set('sites', `acronym = 'ALPHA'`)],
  ['sites_domain_is_host', set('sites', `domain = 'a b.example'`)],
  ['sites_default_language_is_bcp47', set('sites', `default_language = 'english!'`)],
  ['sites_timezone_is_iana_name', set('sites', `timezone = 'Berlin time'`)],
  ['global_settings_is_one_row', 'INSERT INTO global_settings (id) VALUES (2)'],
  ...inSettings('icon_url', 'is_url', `'data:image/png;base64,AA'`),
  ...inSettings('theme_color', 'is_hex', `'#fff'`),
  ...inSettings('css_slug', 'is_slug', `'Base_1'`),
  ...inSettings('css_version', 'is_version', `'1 0'`),
  ...inSettings('articles_per_page', 'is_1_to_100', '500'),
  ...inSettings('social_links', 'are_platforms_with_urls', `'[{"platform": "x"}, {"url": 5}, 7]'`),
  ['site_languages_code_is_bcp47', set('site_languages', `code = 'de_DE'`)],
  ['site_languages_direction_check', set('site_languages', `direction = 'down'`)],
  ['site_languages_labels_are_texts', set('site_languages', `labels = '{"latest": 5}'`)],
  ['site_languages_labels_are_texts', set('site_languages', `labels = '[1]'`)],
  ['navigation_items_area_check', set('navigation_items', `area = 'side'`)],
  ['navigation_items_path_is_url', set('navigation_items', `path = ''`)],
  ['navigation_items_path_is_url', set('navigation_items', `path = 'mailto:a@b.example'`)],
  ['navigation_items_language_is_bcp47', set('navigation_items', `language = 'de_AT'`)],
  ['template_elements_type_check', set('template_elements', `type = 'widget'`)],
  ['template_elements_key_is_path', set('template_elements', `key = '/a b'`)],
  ['template_blocks_language_is_bcp47', set('template_blocks', `language = '*'`)],
  ['template_overrides_language_is_bcp47', set('template_overrides', `language = ''`)],
  ['categories_slug_is_slug', set('categories', `slug = 'News'`)],
  ['categories_language_is_bcp47', set('categories', `language = 'en_GB'`)],
  ['categories_parent_in_site', set('categories', 'parent_id = 200')],
  ['tags_slug_is_slug', set('tags', `slug = 'C++'`)],
  ['tags_language_is_bcp47', set('tags', `language = '-'`)],
  [
    'tags_slug_is_slug',
    `COPY tags (site_id, slug, language, name) FROM PROGRAM 'printf "1\\tC++\\ten\\tC\\n"'`,
  ],
  ['authors_slug_is_slug', set('authors', `slug = 'Jane Doe'`)],
  ['authors_website_url_is_url', set('authors', `website_url = 'example.com'`)],
  ['authors_social_links_are_urls', set('authors', `social_links = ARRAY['javascript:x()', NULL]`)],
  [
    'authors_social_links_are_urls',
    set('authors', `social_links = ARRAY[ARRAY['/a'], ARRAY['/b']]`),
  ],
  ['authors_expertise_are_names', set('authors', `expertise = ARRAY[repeat('x', 501), NULL]`)],
  ['authors_image_in_site', set('authors', 'image_id = 200')],
  ['images_key_is_object_key', set('images', `key = '../x'`)],
  ['images_key_is_object_key', set('images', `key = ''`)],
  ['images_size_is_positive', set('images', 'width = 0')],
  ['images_mime_type_is_media_type', set('images', `mime_type = repeat('x', 501)`)],
  ['images_variants_are_keys_with_widths', set('images', `variants = '{}'`)],
  [
    'images_variants_are_keys_with_widths',
    set('images', `variants = '[{"key": 5, "width": "x"}, null]'`),
  ],
  ['images_site_of_references', set('images', 'site_id = 2')],
  ['articles_slug_is_slug', set('articles', `slug = 'a_b'`)],
  ['articles_slug_is_slug', set('articles', `slug = ''`)],
  ['articles_slug_is_not_reserved', set('articles', `slug = 'search'`)],
  ['articles_slug_is_not_reserved', set('articles', `slug = 'de'`)],
  ['articles_language_is_bcp47', set('articles', `language = 'pt_BR'`)],
  ['articles_status_check', set('articles', `status = 'live'`)],
  ['articles_published_has_an_instant', set('articles', 'published_at = NULL')],
  ['articles_word_count_is_not_negative', set('articles', 'word_count = -1')],
  ['articles_seo_canonical_url_is_url', set('articles', `seo_canonical_url = 'ftp://a'`)],
  ...['infinity', '-infinity', '0044-03-15 BC', '12026-01-01'].flatMap((instant): BrokenWrite[] => [
    ['articles_published_at_is_1970_to_9999', set('articles', `published_at = '${instant}'`)],
    ['articles_updated_at_is_1970_to_9999', set('articles', `updated_at = '${instant}'`)],
    ['articles_created_at_is_1970_to_9999', set('articles', `created_at = '${instant}'`)],
  ]),
  ['articles_category_in_site', set('articles', 'category_id = 200')],
  ['articles_author_in_site', set('articles', 'author_id = 200')],
  ['articles_images_in_site', set('articles', 'image_id = 200')],
  ['articles_images_in_site', set('articles', 'seo_image_id = 200')],
  [
    'articles_site_of_tags',
    set('articles', 'site_id = 2, category_id = NULL, author_id = NULL, image_id = NULL'),
  ],
  ['article_tags_in_site', `INSERT INTO article_tags VALUES (${TARGET_ID}, 200)`],
  ['tags_site_of_articles', set('tags', 'site_id = 2')],
  ['site_settings_images_in_site', set('site_settings', 'logo_id = 200')],
  ['article_scores_article_in_site', `INSERT INTO article_scores VALUES (${TARGET_ID}, 2, 5)`],
  ['article_versions_version_check', set('article_versions', 'version = 0')],
  ['article_versions_snapshot_fits_articles', set('article_versions', `snapshot = '[]'`)],
  [
    'article_versions_snapshot_fits_articles',
    set('article_versions', `snapshot = '{"word_count": "many", "title": 5}'`),
  ],
  ['redirects_from_path_is_path', set('redirects', `from_path = 'gone'`)],
  ['redirects_to_path_is_path', set('redirects', `to_path = '//evil.example'`)],
  ['redirects_status_is_301_302_or_410', set('redirects', 'status = 200')],
  ['redirects_only_410_has_no_target', set('redirects', 'status = 410')],
  ['redirects_lead_elsewhere', set('redirects', `to_path = '/gone'`)],
]

/** Writes that the database accepts although they could break a page. */
export const ACCEPTED_WRITES: readonly [description: string, sql: string][] = [
  ['a time zone that no runtime supports', set('sites', `timezone = 'Europe/Wexhaven'`)],
  ['a category that is its own ancestor', set('categories', `parent_id = ${TARGET_ID}`)],
  ['a template that does not parse', set('template_overrides', `source = '{% if %}'`)],
  ['a language in capitals', set('articles', `language = 'pt-BR'`)],
  ['an article with the slug of a static page', set('articles', `slug = 'about'`)],
  ['a picture that was not uploaded', set('images', `key = 'nothing/there.jpg'`)],
  ['a deleted article', `DELETE FROM articles WHERE id = ${TARGET_ID}`],
  ['a deleted author', `DELETE FROM authors WHERE id = ${TARGET_ID}`],
  ['a deleted picture', `DELETE FROM images WHERE id = ${TARGET_ID}`],
  ['a deleted site', 'DELETE FROM sites WHERE id = 3'],
  ['truncated tags', 'TRUNCATE tags CASCADE'],
  ['truncated versions', 'TRUNCATE article_versions'],
  ['truncated scores', 'TRUNCATE article_scores'],
  ['truncated navigation', 'TRUNCATE navigation_items'],
  ['truncated settings', 'TRUNCATE site_settings, global_settings'],
]
