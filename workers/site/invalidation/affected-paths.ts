import type { ArticleRef, ArticleState, ChangesResponse } from '../../../contract/changes.ts'
import type { SettingsBundle, SiteSettingsBlob } from '../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../contract/template.ts'
import { toNotFoundPath } from '../keys.ts'
import { FEED_FILES, type FeedFormat, type LanguageRoute } from '../rendering/route.ts'
import { SITEMAP_PATH, toRoutePath } from '../rendering/route-path.ts'

type Changes = Pick<ChangesResponse, 'articles' | 'scores'>

const LIST_TAG = /\{%-?\s*list\s[^%]*%\}/g
const TRENDING = /kind:(?!\s*["'](?!trending))/
const FORMATS = Object.keys(FEED_FILES) as FeedFormat[]

/** Paths that show an article before or after its change; `host` when every page of the site may show it. */
export function toAffectedPaths(
  { articles, scores }: Changes,
  { site, site_settings }: SettingsBundle,
): 'host' | string[] {
  const languages = site_settings.languages.map(({ code }) => code)
  const affected = articles.length > 0 ? hasList : scores ? listsTrending : () => false
  const templates = site_settings.templates.filter(affected)
  if (templates.some(({ key }) => key === 'document')) return 'host'
  const routes: LanguageRoute[] = [
    ...articles.flatMap(({ before, after }) => toListRoutes(before, after)),
    ...articles.flatMap(({ before, after, related, alternates }) => [
      ...[before, after].flatMap((state) => (state ? toArticleRoutes(state, languages) : [])),
      ...[...related, ...alternates].map(toArticleRoute),
    ]),
    ...(scores ? languages.map((language) => ({ type: 'home', language }) as const) : []),
    ...templates.flatMap((template) => toTemplateRoutes(template, site_settings)),
  ]
  const paths = routes.map((route) => toRoutePath(route, site.default_language))
  const notFound = templates.some(({ key }) => key === 'not_found')
  return [
    ...new Set([
      ...paths,
      ...(articles.length > 0 ? [SITEMAP_PATH] : []),
      ...(notFound ? languages.map(toNotFoundPath) : []),
    ]),
  ]
}

const toArticleRoute = ({ slug, language }: ArticleRef) =>
  ({ type: 'article', language, slug }) as const

// Its slug may be served in every language: as a translation, or as a redirect to this article.
function toArticleRoutes({ slug }: ArticleState, languages: readonly string[]): LanguageRoute[] {
  return languages.map((language) => toArticleRoute({ slug, language }))
}

function toListRoutes(before: ArticleState | null, after: ArticleState | null): LanguageRoute[] {
  const isEdit = before?.month === after?.month && before?.language === after?.language
  return [before, after].flatMap((state) => {
    if (!state) return []
    const { language, category_slug: category, author_slug: author, month } = state
    return [
      { type: 'home', language } as const,
      // The archive lists months since the oldest article; an edit leaves them as they are.
      ...(isEdit ? [] : [{ type: 'archive', language } as const]),
      ...(month === null ? [] : [{ type: 'month', language, month } as const]),
      ...FORMATS.map((format) => ({ type: 'feed', language, format }) as const),
      ...(author === null ? [] : [{ type: 'author', language, slug: author } as const]),
      ...(category === null ? [] : toCategoryRoutes(language, category)),
    ]
  })
}

function toCategoryRoutes(language: string, category: string): LanguageRoute[] {
  const feeds = FORMATS.map((format) => ({ type: 'feed', language, format, category }) as const)
  return [{ type: 'category', language, slug: category }, ...feeds]
}

const toListTags = ({ source, fallbacks }: ResolvedTemplate): string[] =>
  [source, ...fallbacks.map((each) => each.source)].flatMap((text) => text.match(LIST_TAG) ?? [])

const hasList = (template: ResolvedTemplate): boolean => toListTags(template).length > 0

// A kind that is not a literal may be any kind.
const listsTrending = (template: ResolvedTemplate): boolean =>
  toListTags(template).some((tag) => TRENDING.test(tag))

// Pages that settings name. Lists in templates of articles and authors are renewed by their freshUntil.
function toTemplateRoutes(
  { type, key, language }: ResolvedTemplate,
  { languages, categories }: SiteSettingsBlob,
): LanguageRoute[] {
  const applies = (code: string) => (language ?? code) === code
  const codes = languages.map(({ code }) => code).filter(applies)
  if (type === 'page') return codes.map((code) => ({ type, language: code, key }))
  if (key === 'search' || key === 'archive')
    return codes.map((code) => ({ type: key, language: code }))
  if (key !== 'category') return []
  return categories
    .filter((one) => applies(one.language))
    .map((one) => ({ type: key, language: one.language, slug: one.slug }))
}
