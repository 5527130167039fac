import { type ImageRow, toImageCondition, toImageJson } from '../content/image.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { limitJson, limitText } from '../sql.ts'

/** Columns of a site's settings, or of the global defaults. */
export interface SettingsColumns {
  title: string | null
  tagline: string | null
  description: string | null
  icon_url: string | null
  theme_color: string | null
  css_slug: string | null
  css_version: string | null
  articles_per_page: number | null
  copyright: string | null
  contact_email: string | null
  publisher_name: string | null
  twitter_handle: string | null
  social_links: unknown
  active_template: string | null
  ads_txt: string | null
  robots_txt: string | null
  logo: ImageRow | null
  social_image: ImageRow | null
}

interface LanguageRow {
  code: string
  name: string
  direction: string
  labels: unknown
}

interface NavigationRow {
  id: number
  area: string
  label: string
  path: string
  language: string | null
}

interface TagRow {
  id: number
  slug: string
  language: string
  name: string
}

interface CategoryRow extends TagRow {
  description: string | null
  parent_slug: string | null
  position: number
}

/** All rows from which the settings of a site are made, except its templates. */
export interface SettingsRows {
  defaults: SettingsColumns | undefined
  own: SettingsColumns | undefined
  languages: LanguageRow[]
  navigation: NavigationRow[]
  categories: CategoryRow[]
  tags: TagRow[]
}

export async function readSettings(query: Query, { id }: SiteState): Promise<SettingsRows> {
  const values = [id]
  const [[defaults], [own], languages, navigation, categories, tags] = await Promise.all([
    query<SettingsColumns>({ text: DEFAULTS, values: [] }),
    query<SettingsColumns>({ text: OWN, values }),
    query<LanguageRow>({ text: LANGUAGES, values }),
    query<NavigationRow>({ text: NAVIGATION, values }),
    query<CategoryRow>({ text: CATEGORIES, values }),
    query<TagRow>({ text: TAGS, values }),
  ])
  return { defaults, own, languages, navigation, categories, tags }
}

const COLUMNS = `${limitText('s.title', 'name')} AS title, ${limitText('s.tagline', 'line')} AS tagline,
  ${limitText('s.description', 'text')} AS description, ${limitText('s.icon_url', 'line')} AS icon_url,
  ${limitText('s.theme_color', 'name')} AS theme_color, ${limitText('s.css_slug', 'name')} AS css_slug,
  ${limitText('s.css_version', 'name')} AS css_version, s.articles_per_page, ${limitText('s.copyright', 'line')} AS copyright,
  ${limitText('s.contact_email', 'name')} AS contact_email, ${limitText('s.publisher_name', 'name')} AS publisher_name,
  ${limitText('s.twitter_handle', 'name')} AS twitter_handle, ${limitJson('s.social_links')} AS social_links,
  ${limitText('s.active_template', 'name')} AS active_template, ${limitText('s.ads_txt', 'document')} AS ads_txt,
  ${limitText('s.robots_txt', 'document')} AS robots_txt,
  ${toImageJson('logo')} AS logo, ${toImageJson('social_image')} AS social_image`

const DEFAULTS = `SELECT ${COLUMNS} FROM global_settings s
LEFT JOIN images logo ON logo.id = s.logo_id LEFT JOIN images social_image ON social_image.id = s.social_image_id
ORDER BY s.id LIMIT 1`

const OWN = `SELECT ${COLUMNS} FROM site_settings s
LEFT JOIN images logo ON logo.id = s.logo_id AND ${toImageCondition('logo', 's.site_id')}
LEFT JOIN images social_image ON social_image.id = s.social_image_id AND ${toImageCondition('social_image', 's.site_id')}
WHERE s.site_id = $1 LIMIT 1`

const LANGUAGES = `SELECT ${limitText('code', 'name')} AS code, ${limitText('name', 'name')} AS name,
  ${limitText('direction', 'name')} AS direction, ${limitJson('labels')} AS labels
FROM site_languages WHERE site_id = $1 ORDER BY position, code`

const NAVIGATION = `SELECT id, ${limitText('area', 'name')} AS area, ${limitText('label', 'name')} AS label,
  ${limitText('path', 'line')} AS path, ${limitText('language', 'name')} AS language
FROM navigation_items WHERE site_id = $1 ORDER BY navigation_items.area DESC, position, id`

const CATEGORIES = `SELECT c.id, ${limitText('c.slug', 'name')} AS slug, ${limitText('c.language', 'name')} AS language,
  ${limitText('c.name', 'name')} AS name, ${limitText('c.description', 'text')} AS description,
  ${limitText('parent.slug', 'name')} AS parent_slug, c.position
FROM categories c LEFT JOIN categories parent ON parent.id = c.parent_id AND parent.site_id = c.site_id
WHERE c.site_id = $1 ORDER BY c.position, c.id`

const TAGS = `SELECT id, ${limitText('slug', 'name')} AS slug, ${limitText('language', 'name')} AS language,
  ${limitText('name', 'name')} AS name
FROM tags WHERE site_id = $1 ORDER BY tags.slug, tags.language`

/** Source of a template in a theme (block) or for a site (override). */
export interface TemplateSourceRow {
  id: number
  language: string | null
  source: string
}

export interface TemplateRow {
  id: number
  key: string
  type: string
  title: string
  source: string
  blocks: TemplateSourceRow[]
  overrides: TemplateSourceRow[]
}

/** Reads every template element with the blocks of a theme and the overrides of a site. */
export function readTemplates(query: Query, siteId: number, theme: string): Promise<TemplateRow[]> {
  const toSources = (table: string, condition: string): string => `coalesce((
    SELECT json_agg(json_build_object('id', t.id, 'language', ${limitText('t.language', 'name')},
      'source', ${limitText('t.source', 'document')}) ORDER BY t.language NULLS FIRST, t.id)
    FROM ${table} t WHERE t.element_id = e.id AND ${condition}), '[]')`
  const text = `SELECT e.id, ${limitText('e.key', 'name')} AS key, ${limitText('e.type', 'name')} AS type,
  ${limitText('e.title', 'name')} AS title, ${limitText('e.source', 'document')} AS source,
  ${toSources('template_blocks', 't.theme = $2')} AS blocks,
  ${toSources('template_overrides', 't.site_id = $1')} AS overrides
FROM template_elements e ORDER BY e.key`
  return query({ text, values: [siteId, theme] })
}
