import type * as Contract from '../../contract/settings.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import { fromImage, toImage } from '../content/image.ts'
import { toIdentity } from '../site/identity.ts'
import type { SiteState } from '../site/resolve.ts'
import type { SettingsRecords } from './queries.ts'

type Columns = NonNullable<SettingsRecords['own']>

/** A site's columns over the global ones: a null takes the default; undefined: neither says anything. */
export function mergeColumns({ own, defaults }: SettingsRecords): Partial<Columns> {
  const given = (columns: object | null) =>
    Object.entries(columns ?? {}).filter(([, value]) => value !== null)
  return Object.fromEntries([...given(defaults), ...given(own)])
}

/** Where neither the site nor the defaults name a theme. */
const PLAIN_THEME = 'default'

export const toTheme = (columns: Partial<Columns>): string => columns.activeTemplate ?? PLAIN_THEME

interface Parts {
  site: SiteState
  records: SettingsRecords
  columns: Partial<Columns>
  templates: ResolvedTemplate[]
  /** Keeps what is in this language or in every one. */
  language: string | undefined
}

export function toSettingsBundle(parts: Parts): Contract.SettingsBundle {
  return {
    site: toIdentity(parts.site),
    site_settings: toBlob(parts),
    meta: { etag: null, language: parts.language ?? null },
  }
}

function toBlob({ site, records, columns, templates, language }: Parts): Contract.SiteSettingsBlob {
  const isWanted = (row: { language: string | null }): boolean =>
    language === undefined || row.language === null || row.language === language
  return {
    title: columns.title ?? site.name,
    tagline: columns.tagline ?? null,
    description: columns.description ?? null,
    logo: columns.logo ? toImage(fromImage(columns.logo)) : null,
    icon_url: columns.iconUrl ?? null,
    social_image: columns.socialImage ? toImage(fromImage(columns.socialImage)) : null,
    theme_color: columns.themeColor ?? null,
    css_slug: columns.cssSlug ?? toTheme(columns),
    css_version: columns.cssVersion ?? '1',
    articles_per_page: columns.articlesPerPage ?? 20,
    copyright: columns.copyright ?? null,
    contact_email: columns.contactEmail ?? null,
    publisher_name: columns.publisherName ?? site.name,
    twitter_handle: columns.twitterHandle ?? null,
    social_links: (columns.socialLinks ?? []) as Contract.SocialLink[],
    languages: records.languages.map((row) => toLanguage(row, site)),
    navigation: records.navigation.filter(isWanted).map(toNavigationItem),
    categories: records.categories.filter(isWanted).map(toCategory),
    tags: records.tags.filter(isWanted).map(({ siteId: _, ...tag }) => tag),
    templates,
    active_template: toTheme(columns),
    ads_txt: columns.adsTxt ?? null,
    robots_txt: columns.robotsTxt ?? null,
    feature_flags: {},
  }
}

type Row<Name extends 'languages' | 'navigation' | 'categories'> = SettingsRecords[Name][number]

// Columns of free text or JSON are held to the contract when the whole answer is.
const toLanguage = (
  { code, name, direction, labels }: Row<'languages'>,
  site: SiteState,
): Contract.Language => ({
  code,
  name,
  direction: direction as Contract.Language['direction'],
  is_default: code === site.defaultLanguage,
  labels: labels as Contract.Language['labels'],
})

const toNavigationItem = ({
  area,
  label,
  path,
  language,
}: Row<'navigation'>): Contract.NavigationItem => ({
  area: area as Contract.NavigationItem['area'],
  label,
  path,
  language,
})

const toCategory = (row: Row<'categories'>): Contract.LightCategory => ({
  id: row.id,
  slug: row.slug,
  language: row.language,
  name: row.name,
  description: row.description,
  parent_slug: row.parent?.slug ?? null,
  position: row.position,
})
