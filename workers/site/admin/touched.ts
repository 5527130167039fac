import type { ArticleChange } from '../../../contract/changes.ts'
import type { SettingsBundle } from '../../../contract/settings.ts'
import { FEED_FILES, type FeedFormat, type LanguageRoute, toRoutePath } from '../engine/route.ts'

type State = NonNullable<ArticleChange['before']>

const FORMATS = Object.keys(FEED_FILES) as FeedFormat[]

/** Paths that show an article before or after it changed; parts of the lists among them are void with their list. */
export function toTouchedPaths(
  changes: readonly ArticleChange[],
  { site, site_settings }: SettingsBundle,
): string[] {
  const languages = site_settings.languages.map(({ code }) => code)
  const states = changes
    .flatMap(({ before, after }) => [before, after])
    .filter((one) => one !== null)
  const routes = states.flatMap((state) => toRoutes(state, languages))
  const paths = routes.map((route) => toRoutePath(route, site.default_language))
  return paths.length === 0 ? [] : [...new Set([...paths, '/sitemap.xml'])]
}

// Its slug may answer in every language: by a translation, or by a redirect to this article.
function toRoutes(state: State, languages: readonly string[]): LanguageRoute[] {
  const { language, slug, category_slug, author_slug } = state
  return [
    ...languages.map((each) => ({ type: 'article', language: each, slug }) as const),
    { type: 'home', language },
    { type: 'archive', language },
    ...FORMATS.map((format) => ({ type: 'feed', language, format }) as const),
    ...(author_slug === null ? [] : [{ type: 'author', language, slug: author_slug } as const]),
    ...(category_slug === null ? [] : toCategoryRoutes(language, category_slug)),
  ]
}

function toCategoryRoutes(language: string, category: string): LanguageRoute[] {
  const feeds = FORMATS.map((format) => ({ type: 'feed', language, format, category }) as const)
  return [{ type: 'category', language, slug: category }, ...feeds]
}
