import * as z from 'zod/mini'
import {
  Document,
  Id,
  Image,
  LanguageCode,
  LanguageParameter,
  Line,
  Name,
  Slug,
  Text,
  Url,
} from './primitives.ts'
import { apiSitePath, SiteIdentity } from './site.ts'
import { ResolvedTemplate } from './template.ts'

/** `labels` are the texts of a page that are not content (`read_more`, `latest`, …), by key. */
export const Language = z.strictObject({
  code: LanguageCode,
  name: Name,
  direction: z.enum(['ltr', 'rtl']),
  is_default: z.boolean(),
  labels: z.record(Name, Line),
})
export type Language = z.infer<typeof Language>

const NAVIGATION_AREAS = ['header', 'footer'] as const

/** One link of the navigation. It is shown in every language if `language` is null. `path` has no language prefix. */
export const NavigationItem = z.strictObject({
  area: z.enum(NAVIGATION_AREAS),
  label: Name,
  path: Url,
  language: z.nullable(LanguageCode),
})
export type NavigationItem = z.infer<typeof NavigationItem>

/** A category without its articles, in one language; its rows in other languages have the same `slug`. */
export const LightCategory = z.strictObject({
  id: Id,
  slug: Slug,
  language: LanguageCode,
  name: Name,
  description: z.nullable(Text),
  parent_slug: z.nullable(Slug),
  position: z.int(),
})
export type LightCategory = z.infer<typeof LightCategory>

const LightTag = z.strictObject({
  id: Id,
  slug: Slug,
  language: LanguageCode,
  name: Name,
})

export const SocialLink = z.strictObject({ platform: Name, url: Url })
export type SocialLink = z.infer<typeof SocialLink>

/** Site settings, merged per column over the global defaults, and other data that every page of the site uses. */
export const SiteSettingsBlob = z.strictObject({
  title: Name,
  tagline: z.nullable(Line),
  description: z.nullable(Text),
  logo: z.nullable(Image),
  icon_url: z.nullable(Url),
  social_image: z.nullable(Image),
  theme_color: z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/i))),
  css_slug: Slug,
  css_version: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,40}$/)),
  articles_per_page: z.int().check(z.minimum(1), z.maximum(100)),
  copyright: z.nullable(Line),
  contact_email: z.nullable(Name),
  publisher_name: Name,
  twitter_handle: z.nullable(Name),
  social_links: z.array(SocialLink),
  languages: z.array(Language),
  navigation: z.array(NavigationItem),
  categories: z.array(LightCategory),
  tags: z.array(LightTag),
  templates: z.array(ResolvedTemplate),
  active_template: Name,
  ads_txt: z.nullable(Document),
  robots_txt: z.nullable(Document),
  feature_flags: z.strictObject({}),
})
export type SiteSettingsBlob = z.infer<typeof SiteSettingsBlob>

/** `GET /sites/{site}/settings`; the `ETag` header is authoritative, `meta.etag` is always null. */
export const SettingsBundle = z.strictObject({
  site: SiteIdentity,
  site_settings: SiteSettingsBlob,
  meta: z.strictObject({ etag: z.null(), language: z.nullable(LanguageCode) }),
})
export type SettingsBundle = z.infer<typeof SettingsBundle>

export const SettingsParameters = z.strictObject({ language: z.optional(LanguageParameter) })
export type SettingsParameters = z.infer<typeof SettingsParameters>

/** Path of the endpoint below the base URL of the API. */
export const settingsPath = (site: string): string => `${apiSitePath(site)}/settings`
