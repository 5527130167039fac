import * as z from 'zod/mini'
import { Slug } from '../../../contract/primitives.ts'
import type { SettingsBundle } from '../../../contract/settings.ts'
import { parseSegments } from '../../../http/path.ts'

export const FEED_FORMATS = { 'feed.xml': 'rss', 'atom.xml': 'atom', 'feed.json': 'json' } as const
export type FeedFormat = (typeof FEED_FORMATS)[keyof typeof FEED_FORMATS]

/** What a path means. `cursor` is the list's own, as `next_cursor` gave it; `month` is `YYYY-MM`. */
export type Route =
  | { type: 'home'; language: string }
  | { type: 'article'; language: string; slug: string }
  | { type: 'category'; language: string; slug: string; cursor?: string }
  | { type: 'author'; language: string; slug: string; cursor?: string }
  | { type: 'archive'; language: string; month?: string; cursor?: string }
  | { type: 'search'; language: string }
  | { type: 'page'; language: string; key: string }
  | { type: 'feed'; language: string; format: FeedFormat; category?: string }
  | { type: 'sitemap_index' }
  | { type: 'sitemap'; cursor?: string }
  | { type: 'robots' }
  | { type: 'ads' }
  | { type: 'redirect'; location: string }
  | { type: 'not_found' }

const NOT_FOUND: Route = { type: 'not_found' }
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const FIRST_PART = 'first'

/** Decides what a canonical path (`toCanonicalPath`) means on this site; asks nobody. */
export function decideRoute(pathname: string, settings: SettingsBundle): Route {
  const segments = parseSegments(pathname)?.filter(Boolean)
  if (!segments) return NOT_FOUND
  const { site, site_settings } = settings
  const fallback = site.default_language
  const [first, ...rest] = segments
  const prefix = site_settings.languages.find((language) => language.code === first)
  if (!prefix) return decideFile(segments) ?? decideInLanguage(segments, fallback, settings)
  if (prefix.code === fallback) return { type: 'redirect', location: pathOf(rest) }
  return decideInLanguage(rest, prefix.code, settings)
}

function decideFile(segments: string[]): Route | undefined {
  switch (segments.join('/')) {
    case 'robots.txt':
      return { type: 'robots' }
    case 'ads.txt':
      return { type: 'ads' }
    case 'sitemap.xml':
      return { type: 'sitemap_index' }
  }
  const [folder, file, ...more] = segments
  if (folder !== 'sitemap' || !file?.endsWith('.xml') || more.length > 0) return undefined
  const part = file.slice(0, -'.xml'.length)
  return part === FIRST_PART ? { type: 'sitemap' } : { type: 'sitemap', cursor: part }
}

function decideInLanguage(segments: string[], language: string, settings: SettingsBundle): Route {
  const [first, second, ...rest] = segments
  if (first === undefined) return { type: 'home', language }
  const key = segments.join('/')
  if (hasPage(settings, key, language)) return { type: 'page', language, key }
  const format = toFeedFormat(first)
  if (format && segments.length === 1) return { type: 'feed', language, format }
  if (segments.length === 1) return decideSingle(first, language)
  switch (first) {
    case 'category':
      return decideCategory(language, second, rest)
    case 'author':
      return decideList({ type: 'author', language, slug: second ?? '' }, rest)
    case 'archive':
      return decideArchive(language, second, rest)
    default:
      return NOT_FOUND
  }
}

function decideSingle(segment: string, language: string): Route {
  if (segment === 'search') return { type: 'search', language }
  if (segment === 'archive') return { type: 'archive', language }
  return isSlug(segment) ? { type: 'article', language, slug: segment } : NOT_FOUND
}

function decideCategory(language: string, slug = '', rest: string[]): Route {
  const [file, ...more] = rest
  const format = toFeedFormat(file)
  if (format && more.length === 0 && isSlug(slug))
    return { type: 'feed', language, format, category: slug }
  return decideList({ type: 'category', language, slug }, rest)
}

function decideArchive(language: string, year: string | undefined, rest: string[]): Route {
  const [number, ...after] = rest
  const month = `${year}-${number}`
  if (!MONTH.test(month)) return NOT_FOUND
  return decideAfter({ type: 'archive', language, month }, after)
}

function decideList(route: Extract<Route, { slug: string }>, rest: string[]): Route {
  return isSlug(route.slug) ? decideAfter(route, rest) : NOT_FOUND
}

function decideAfter(route: Route, rest: string[]): Route {
  const [after, cursor, ...more] = rest
  if (after === undefined) return route
  if (after !== 'after' || !cursor || more.length > 0) return NOT_FOUND
  return { ...route, cursor } as Route
}

function hasPage(settings: SettingsBundle, key: string, language: string): boolean {
  return settings.site_settings.templates.some(
    (template) =>
      template.type === 'page' &&
      template.key === key &&
      (template.language === null || template.language === language),
  )
}

const toFeedFormat = (name: string | undefined): FeedFormat | undefined =>
  name !== undefined && Object.hasOwn(FEED_FORMATS, name)
    ? FEED_FORMATS[name as keyof typeof FEED_FORMATS]
    : undefined

const isSlug = (text: string): boolean => z.safeParse(Slug, text).success

const pathOf = (segments: string[]): string => `/${segments.map(encodeURIComponent).join('/')}`
