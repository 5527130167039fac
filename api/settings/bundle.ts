import { type Name, Slug } from '../../contract/primitives.ts'
import * as Contract from '../../contract/settings.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import { toImage } from '../content/image.ts'
import { parseOrReport } from '../omissions/repair.ts'
import { type ReportOmission, withSourceRow } from '../omissions/source-row.ts'
import { toIdentity } from '../site/identity.ts'
import type { SiteState } from '../site/resolve.ts'
import { type MergedColumns, toTheme } from './columns.ts'
import type { SettingsRows } from './queries.ts'

interface BundleParts {
  site: SiteState
  rows: SettingsRows
  columns: MergedColumns
  templates: ResolvedTemplate[]
  /** Only rows in this language and rows without a language are included; undefined includes all rows. */
  language: string | undefined
  report: ReportOmission
}

export function toSettingsBundle(parts: BundleParts): Contract.SettingsBundle {
  return {
    site: toIdentity(parts.site),
    site_settings: toSiteSettings(parts),
    meta: { etag: null, language: parts.language ?? null },
  }
}

function toSiteSettings(parts: BundleParts): Contract.SiteSettingsBlob {
  const { site, rows, columns, templates, language } = parts
  const isIncluded = (row: { language: string | null }): boolean =>
    language === undefined || row.language === null || row.language === language
  const theme = toTheme(columns)
  return withSourceRow('site_settings', site.id, {
    title: columns.title ?? site.name,
    tagline: columns.tagline ?? null,
    description: columns.description ?? null,
    logo: toImage(columns.logo ?? null),
    icon_url: columns.icon_url ?? null,
    social_image: toImage(columns.social_image ?? null),
    theme_color: columns.theme_color ?? null,
    css_slug: columns.css_slug ?? (Slug.safeParse(theme).success ? theme : 'default'),
    css_version: columns.css_version ?? '1',
    articles_per_page: columns.articles_per_page ?? 20,
    copyright: columns.copyright ?? null,
    contact_email: columns.contact_email ?? null,
    publisher_name: columns.publisher_name ?? site.name,
    twitter_handle: columns.twitter_handle ?? null,
    social_links: toSocialLinks(columns.social_links ?? []),
    languages: toLanguages(parts),
    navigation: rows.navigation.filter(isIncluded).map(toNavigationItem),
    categories: rows.categories
      .filter(isIncluded)
      .map(({ id, ...category }) => withSourceRow('categories', id, { id, ...category })),
    tags: rows.tags.filter(isIncluded).map((tag) => withSourceRow('tags', tag.id, tag)),
    templates,
    active_template: theme,
    ads_txt: columns.ads_txt ?? null,
    robots_txt: columns.robots_txt ?? null,
    feature_flags: {},
  })
}

/** Returns the items of the JSON column, or a value that is not a list as one item; `repair` removes invalid ones. */
const toSocialLinks = (links: unknown): Contract.SocialLink[] =>
  Array.isArray(links) ? links : ([links] as Contract.SocialLink[])

type Row<Table extends 'languages' | 'navigation'> = SettingsRows[Table][number]

// All pages of a language depend on its row, so only an invalid code omits the row; other invalid columns get a default.
// The default language is always included.
function toLanguages({ site, rows, report }: BundleParts): Contract.Language[] {
  const languages = rows.languages.map((row) => toLanguage(row, site, report))
  if (languages.some(({ is_default }) => is_default)) return languages
  return [toLanguage(toDefaultRow(site.defaultLanguage), site, report), ...languages]
}

const toDefaultRow = (code: string): Row<'languages'> => ({
  code,
  name: code,
  direction: 'ltr',
  labels: {},
})

function toLanguage(
  row: Row<'languages'>,
  site: SiteState,
  report: ReportOmission,
): Contract.Language {
  const { code } = row
  const { name, direction } = Contract.Language.shape
  const id = `${site.id} ${code}`
  const parse = (schema: typeof Name | typeof direction, field: 'name' | 'direction') =>
    // '' instead of null, because `parseOrReport` would not report a null direction.
    parseOrReport(schema, row[field] ?? '', { table: 'site_languages', id, field }, report)
  return withSourceRow('site_languages', id, {
    code,
    name: parse(name, 'name') || code,
    direction: parse(direction, 'direction') === 'rtl' ? 'rtl' : 'ltr',
    is_default: code === site.defaultLanguage,
    labels: row.labels as Contract.Language['labels'],
  })
}

// `area` is validated with the whole response.
const toNavigationItem = (row: Row<'navigation'>): Contract.NavigationItem =>
  withSourceRow('navigation_items', row.id, {
    area: row.area as Contract.NavigationItem['area'],
    label: row.label,
    path: row.path,
    language: row.language,
  })
