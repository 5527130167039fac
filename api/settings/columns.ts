import { Document, Line, Name, Slug, Text, Url } from '../../contract/primitives.ts'
import { SiteSettingsBlob } from '../../contract/settings.ts'
import type { ImageRow } from '../content/image.ts'
import { parseOrReport } from '../omissions/repair.ts'
import type { ReportOmission } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'
import type { SettingsColumns, SettingsRows } from './queries.ts'

/** Schemas of columns. An invalid value is treated like null. `repair` validates the other columns. */
const SCHEMAS = {
  title: Name,
  tagline: Line,
  description: Text,
  icon_url: Url,
  theme_color: SiteSettingsBlob.shape.theme_color,
  css_slug: Slug,
  css_version: SiteSettingsBlob.shape.css_version,
  articles_per_page: SiteSettingsBlob.shape.articles_per_page,
  copyright: Line,
  contact_email: Name,
  publisher_name: Name,
  twitter_handle: Name,
  active_template: Name,
  ads_txt: Document,
  robots_txt: Document,
} as const
type ValidatedColumn = keyof typeof SCHEMAS

export interface MergedColumns
  extends Partial<Record<Exclude<ValidatedColumn, 'articles_per_page'>, string>> {
  articles_per_page?: number
  social_links?: unknown
  logo?: ImageRow
  social_image?: ImageRow
}

/** Merges a site's columns over the global defaults; null and invalid values get the default. */
export function mergeColumns(
  { own, defaults }: SettingsRows,
  site: SiteState,
  report: ReportOmission,
): MergedColumns {
  return {
    ...parseColumns(defaults, { table: 'global_settings', id: 1 }, report),
    ...parseColumns(own, { table: 'site_settings', id: site.id }, report),
  }
}

function parseColumns(
  columns: SettingsColumns | undefined,
  row: { table: string; id: number },
  report: ReportOmission,
): MergedColumns {
  const parsed = Object.entries(columns ?? {}).map(([field, value]) => {
    const schema = isValidated(field) ? SCHEMAS[field] : undefined
    return [field, schema ? parseOrReport(schema, value, { ...row, field }, report) : value]
  })
  return Object.fromEntries(parsed.filter(([, value]) => value !== null && value !== undefined))
}

const isValidated = (field: string): field is ValidatedColumn => field in SCHEMAS

/** Theme of a site if neither its settings nor the global defaults have one. */
const DEFAULT_THEME = 'default'

export const toTheme = (columns: MergedColumns): string => columns.active_template ?? DEFAULT_THEME
