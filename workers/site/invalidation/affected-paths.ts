import type { ArticleChange } from '../../../contract/changes.ts'
import type { SettingsBundle, SiteSettingsBlob } from '../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../contract/template.ts'
import {
  FEED_FILES,
  type FeedFormat,
  type LanguageRoute,
  SITEMAP_PATH,
  toRoutePath,
} from '../rendering/route.ts'

type State = NonNullable<ArticleChange['before']>

const LIST_TAG = /\{%-?\s*list\s/
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
  if (states.length === 0) return []
  const routes = [
    ...states.flatMap((state) => toRoutes(state, languages)),
    ...site_settings.templates.filter(holdsList).flatMap((one) => toPages(one, site_settings)),
  ]
  const paths = routes.map((route) => toRoutePath(route, site.default_language))
  return [...new Set([...paths, SITEMAP_PATH])]
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

// A `list` tag may show any article.
function holdsList({ source, fallbacks }: ResolvedTemplate): boolean {
  return [source, ...fallbacks.map((each) => each.source)].some((each) => LIST_TAG.test(each))
}

// Not those of articles and authors, which settings do not name.
function toPages(
  { type, key, language }: ResolvedTemplate,
  blob: SiteSettingsBlob,
): LanguageRoute[] {
  const applies = (code: string) => (language ?? code) === code
  const languages = blob.languages.map(({ code }) => code).filter(applies)
  if (type === 'page') return languages.map((each) => ({ type, language: each, key }))
  if (key === 'search') return languages.map((each) => ({ type: key, language: each }))
  if (key !== 'category') return []
  const categories = blob.categories.filter((one) => applies(one.language))
  return categories.map((one) => ({ type: key, language: one.language, slug: one.slug }))
}
