import {
  SEGMENTS,
  toArticleSegments,
  toAuthorSegments,
  toCategorySegments,
  toHomeSegments,
} from '../../../contract/paths.ts'
import { toPath } from '../../../http/path.ts'
import { FEED_FILES, FIRST_PART, type LanguageRoute } from './route.ts'

/** Returns the path of a route; the inverse of `decideRoute`. */
export function toRoutePath(route: LanguageRoute, defaultLanguage: string): string {
  return toPath(toSegments(route, { language: route.language, defaultLanguage }))
}

function toSegments(
  route: LanguageRoute,
  languages: { language: string; defaultLanguage: string },
): string[] {
  const home = toHomeSegments(languages)
  switch (route.type) {
    case 'home':
      return home
    case 'article':
      return toArticleSegments(route.slug, languages)
    case 'category':
      return [...toCategorySegments(route.slug, languages), ...toCursorSegments(route.cursor)]
    case 'author':
      return [...toAuthorSegments(route.slug, languages), ...toCursorSegments(route.cursor)]
    case 'archive':
    case 'search':
      return [...home, SEGMENTS[route.type]]
    case 'month':
      return [
        ...home,
        SEGMENTS.archive,
        ...route.month.split('-'),
        ...toCursorSegments(route.cursor),
      ]
    case 'page':
      return [...home, ...route.key.split('/')]
    case 'feed': {
      const parent = route.category ? toCategorySegments(route.category, languages) : home
      return [...parent, FEED_FILES[route.format]]
    }
    default:
      return route satisfies never
  }
}

const toCursorSegments = (cursor: string | undefined): string[] => (cursor ? ['after', cursor] : [])

/** Path of the sitemap's index. */
export const SITEMAP_PATH = '/sitemap.xml'

/** Returns the path of a sitemap part; without a cursor, of the first part. */
export const toSitemapPath = (cursor?: string): string =>
  `/${SEGMENTS.sitemap}/${cursor ?? FIRST_PART}.xml`
