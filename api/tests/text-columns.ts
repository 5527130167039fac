import type * as z from 'zod/mini'
import { AuthorSlice } from '../../contract/author.ts'
import {
  Document,
  Image,
  LanguageCode,
  Line,
  Name,
  Slug,
  Text,
  Url,
} from '../../contract/primitives.ts'
import { SiteSettingsBlob } from '../../contract/settings.ts'
import { SiteIdentity } from '../../contract/site.ts'
import { TemplateKey } from '../../contract/template.ts'
import type { VALID_VALUES } from './valid-values.ts'

export type ColumnKind = keyof typeof VALID_VALUES

/** Text columns, each with the kind of its valid values and its schema in the contract. */
export const TEXT_COLUMNS: [column: string, kind: ColumnKind, schema: z.ZodMiniType][] = [
  ['sites.acronym', 'text', SiteIdentity.shape.acronym],
  ['sites.domain', 'host', SiteIdentity.shape.domain],
  ['sites.name', 'text', SiteIdentity.shape.name],
  ['sites.default_language', 'language', LanguageCode],
  ['sites.timezone', 'timezone', SiteIdentity.shape.timezone],
  ...['site_settings', 'global_settings'].flatMap(
    (table): [string, ColumnKind, z.ZodMiniType][] => [
      [`${table}.title`, 'text', SiteSettingsBlob.shape.title],
      [`${table}.tagline`, 'text', SiteSettingsBlob.shape.tagline],
      [`${table}.description`, 'text', SiteSettingsBlob.shape.description],
      [`${table}.icon_url`, 'url', SiteSettingsBlob.shape.icon_url],
      [`${table}.theme_color`, 'colour', SiteSettingsBlob.shape.theme_color],
      [`${table}.css_slug`, 'slug', SiteSettingsBlob.shape.css_slug],
      [`${table}.css_version`, 'version', SiteSettingsBlob.shape.css_version],
      [`${table}.copyright`, 'text', SiteSettingsBlob.shape.copyright],
      [`${table}.contact_email`, 'text', SiteSettingsBlob.shape.contact_email],
      [`${table}.publisher_name`, 'text', SiteSettingsBlob.shape.publisher_name],
      [`${table}.twitter_handle`, 'text', SiteSettingsBlob.shape.twitter_handle],
      [`${table}.active_template`, 'text', SiteSettingsBlob.shape.active_template],
      [`${table}.ads_txt`, 'text', SiteSettingsBlob.shape.ads_txt],
      [`${table}.robots_txt`, 'text', SiteSettingsBlob.shape.robots_txt],
    ],
  ),
  ['site_languages.code', 'language', LanguageCode],
  ['site_languages.name', 'text', Name],
  ['navigation_items.label', 'text', Name],
  ['navigation_items.path', 'url', Url],
  ['navigation_items.language', 'language', LanguageCode],
  ['template_elements.key', 'templateKey', TemplateKey],
  ['template_elements.title', 'text', Name],
  ['template_elements.source', 'text', Document],
  ['template_blocks.language', 'language', LanguageCode],
  ['template_blocks.source', 'text', Document],
  ['template_overrides.language', 'language', LanguageCode],
  ['template_overrides.source', 'text', Document],
  ...['categories', 'tags'].flatMap((table): [string, ColumnKind, z.ZodMiniType][] => [
    [`${table}.slug`, 'slug', Slug],
    [`${table}.language`, 'language', LanguageCode],
    [`${table}.name`, 'text', Name],
  ]),
  ['categories.description', 'text', Text],
  ['authors.slug', 'slug', Slug],
  ['authors.name', 'text', AuthorSlice.shape.name],
  ['authors.job_title', 'text', AuthorSlice.shape.job_title],
  ['authors.bio_html', 'text', AuthorSlice.shape.bio_html],
  ['authors.website_url', 'url', AuthorSlice.shape.website_url],
  ['images.alt', 'text', Image.shape.alt],
  ['images.mime_type', 'mediaType', Image.shape.mime_type],
  ['images.caption', 'text', Image.shape.caption],
  ['images.credit', 'text', Image.shape.credit],
  ['articles.slug', 'slug', Slug],
  ['articles.language', 'language', LanguageCode],
  ['articles.content_type', 'text', Name],
  ['articles.title', 'text', Line],
  ['articles.subtitle', 'text', Line],
  ['articles.description', 'text', Text],
  ['articles.seo_title', 'text', Line],
  ['articles.seo_description', 'text', Text],
  ['articles.seo_canonical_url', 'url', Url],
  ['articles.seo_robots', 'text', Name],
]
