import * as z from 'zod/mini'
import { SEGMENTS } from '../../../contract/paths.ts'
import { Slug } from '../../../contract/primitives.ts'
import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../contract/template.ts'
import { parseSegments, toCanonicalPath, toPath } from '../../../http/path.ts'

export const FEED_FILES = { rss: 'feed.xml', atom: 'atom.xml', json: 'feed.json' } as const
export type FeedFormat = keyof typeof FEED_FILES

/** Routes that have a language. `cursor` is a list's `next_cursor`, `month` is `YYYY-MM`. */
export type LanguageRoute = { language: string } & (
  | { type: 'home' }
  | { type: 'article'; slug: string }
  | { type: 'category'; slug: string; cursor?: string }
  | { type: 'author'; slug: string; cursor?: string }
  | { type: 'archive' }
  | { type: 'month'; month: string; cursor?: string }
  | { type: 'search' }
  | { type: 'page'; key: string }
  | { type: 'feed'; format: FeedFormat; category?: string }
)

/** A route; `not_found` has a language too, in which its page is rendered. */
export type Route =
  | LanguageRoute
  | { type: 'sitemap_index' }
  | { type: 'sitemap'; cursor?: string }
  | { type: 'robots' }
  | { type: 'ads' }
  | { type: 'redirect'; location: string }
  | { type: 'not_found'; language: string }

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
/** Name of the sitemap's first part; the names of the others are their cursors. */
export const FIRST_PART = 'first'

/** Returns the route of a canonical path (`toCanonicalPath`) according to the site's settings. */
export function decideRoute(pathname: string, settings: SettingsBundle): Route {
  const { default_language } = settings.site
  const segments = parseSegments(pathname)?.filter(Boolean)
  if (!segments) return { type: 'not_found', language: default_language }
  const [first, ...rest] = segments
  const { languages, templates } = settings.site_settings
  if (first === default_language) return { type: 'redirect', location: toPath(rest) }
  const prefix = languages.find(({ code }) => code === first)
  const language = prefix?.code ?? default_language
  const route = prefix
    ? decideInLanguage(rest, language, templates)
    : (decideFile(segments) ?? decideInLanguage(segments, language, templates))
  return route ?? { type: 'not_found', language }
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
  if (folder !== SEGMENTS.sitemap || !file?.endsWith('.xml') || more.length > 0) return undefined
  const part = file.slice(0, -'.xml'.length)
  return part === FIRST_PART ? { type: 'sitemap' } : { type: 'sitemap', cursor: part }
}

function decideInLanguage(
  segments: string[],
  language: string,
  templates: readonly ResolvedTemplate[],
): Route | undefined {
  const [first, second, ...rest] = segments
  if (first === undefined) return { type: 'home', language }
  const key = segments.join('/')
  if (hasPage(templates, key, language)) return { type: 'page', language, key }
  if (second === undefined) return decideSingleSegment(first, language)
  const format = toFeedFormat(rest[0])
  switch (first) {
    case SEGMENTS.category:
      if (!isSlug(second)) return undefined
      if (format && rest.length === 1) return { type: 'feed', language, format, category: second }
      return withCursor(rest, (cursor) => ({ type: 'category', language, slug: second, ...cursor }))
    case SEGMENTS.author:
      if (!isSlug(second)) return undefined
      return withCursor(rest, (cursor) => ({ type: 'author', language, slug: second, ...cursor }))
    case SEGMENTS.archive:
      return decideMonth(`${second}-${rest[0]}`, rest.slice(1), language)
    default:
      return undefined
  }
}

function decideSingleSegment(segment: string, language: string): Route | undefined {
  const format = toFeedFormat(segment)
  if (format) return { type: 'feed', language, format }
  if (segment === SEGMENTS.search || segment === SEGMENTS.archive)
    return { type: segment, language }
  return isSlug(segment) ? { type: 'article', language, slug: segment } : undefined
}

function decideMonth(month: string, rest: string[], language: string): Route | undefined {
  if (!MONTH.test(month)) return undefined
  return withCursor(rest, (cursor) => ({ type: 'month', language, month, ...cursor }))
}

// `rest` is empty, or `after` and a cursor; otherwise there is no route.
function withCursor(
  rest: string[],
  toRoute: (cursor: { cursor?: string }) => Route,
): Route | undefined {
  const [marker, cursor, ...more] = rest
  if (marker === undefined) return toRoute({})
  return marker === 'after' && cursor && more.length === 0 ? toRoute({ cursor }) : undefined
}

/** Returns whether there is a static page with this key in this language. */
export function hasPage(
  templates: readonly ResolvedTemplate[],
  key: string,
  language: string,
): boolean {
  return templates.some(
    (template) =>
      template.type === 'page' &&
      template.key === key &&
      (template.language ?? language) === language,
  )
}

function toFeedFormat(name: string | undefined): FeedFormat | undefined {
  return Object.entries(FEED_FILES).find(([, file]) => file === name)?.[0] as FeedFormat | undefined
}

const isSlug = (text: string): boolean => z.safeParse(Slug, text).success

/**
 * Returns the target of a redirect in the spelling that does not redirect again: a canonical path,
 * without the prefix of the default language. Returns undefined for a path that is never served.
 */
export function toFinalLocation(target: string, settings: SettingsBundle): string | undefined {
  const [, pathname = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
  const path = toCanonicalPath(pathname)
  if (path === undefined) return undefined
  const route = decideRoute(path, settings)
  return `${route.type === 'redirect' ? route.location : path}${rest}`
}
