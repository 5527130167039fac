import {
  SEGMENTS,
  toArticleSegments,
  toAuthorSegments,
  toCategorySegments,
  toHomeSegments,
} from '../../../contract/paths.ts'
import { toPath } from '../../../http/path.ts'
import { FEED_FILES, FIRST_PART, type LanguageRoute } from './route.ts'

/** The path of a route; `decideRoute` is the inverse. */
export function toRoutePath(route: LanguageRoute, defaultLanguage: string): string {
  return toPath(toSegments(route, { language: route.language, defaultLanguage }))
}

function toSegments(
  route: LanguageRoute,
  place: { language: string; defaultLanguage: string },
): string[] {
  const home = toHomeSegments(place)
  switch (route.type) {
    case 'home':
      return home
    case 'article':
      return toArticleSegments(route.slug, place)
    case 'category':
      return [...toCategorySegments(route.slug, place), ...toAfter(route.cursor)]
    case 'author':
      return [...toAuthorSegments(route.slug, place), ...toAfter(route.cursor)]
    case 'archive':
    case 'search':
      return [...home, SEGMENTS[route.type]]
    case 'month':
      return [...home, SEGMENTS.archive, ...route.month.split('-'), ...toAfter(route.cursor)]
    case 'page':
      return [...home, ...route.key.split('/')]
    case 'feed': {
      const parent = route.category ? toCategorySegments(route.category, place) : home
      return [...parent, FEED_FILES[route.format]]
    }
    default:
      return route satisfies never
  }
}

const toAfter = (cursor: string | undefined): string[] => (cursor ? ['after', cursor] : [])

/** The path of the sitemap's index. */
export const SITEMAP_PATH = '/sitemap.xml'

/** The path of a sitemap part; without a cursor the first. */
export const toSitemapPath = (cursor?: string): string =>
  `/${SEGMENTS.sitemap}/${cursor ?? FIRST_PART}.xml`
