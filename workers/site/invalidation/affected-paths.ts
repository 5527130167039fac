import type { ArticleChange, ArticleState, ChangesResponse } from '../../../contract/changes.ts'
import type { SettingsBundle, SiteSettingsBlob } from '../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../contract/template.ts'
import { toNotFoundPath } from '../keys.ts'
import { FEED_FILES, type FeedFormat, type LanguageRoute } from '../rendering/route.ts'
import { SITEMAP_PATH, toRoutePath } from '../rendering/route-path.ts'
import { WHOLE_HOST } from './queries.ts'

const LIST_TAG = /\{%-?\s*list\s[^%]*%\}/g
/** Matches a tag whose kind is `trending`, or not a literal, so that it may be `trending`. */
const TRENDING = /kind:(?!\s*["'](?!trending))/
/** Templates on pages whose paths are not in the settings. */
const KEYS_OF_UNLISTED_PATHS = ['document', 'article', 'author', 'archive']
const FORMATS = Object.keys(FEED_FILES) as FeedFormat[]

/** Returns the paths of pages that the changes affect; only `WHOLE_HOST` when every page may be affected. */
export function toAffectedPaths(
  { articles, scores }: Pick<ChangesResponse, 'articles' | 'scores'>,
  { site, site_settings }: SettingsBundle,
): string[] {
  if (articles.length === 0 && !scores) return []
  const languages = site_settings.languages.map(({ code }) => code)
  const templates = site_settings.templates.filter(articles.length > 0 ? hasList : listsTrending)
  if (templates.some(({ key }) => KEYS_OF_UNLISTED_PATHS.includes(key))) return [WHOLE_HOST]
  const routes: LanguageRoute[] = [
    ...articles.flatMap((change) => toArticleRoutes(change, languages)),
    ...(scores ? languages.map((language) => ({ type: 'home', language }) as const) : []),
    ...templates.flatMap((template) => toTemplateRoutes(template, site_settings)),
  ]
  const paths = routes.map((route) => toRoutePath(route, site.default_language))
  if (articles.length > 0) paths.push(SITEMAP_PATH)
  if (templates.some(({ key }) => key === 'not_found')) paths.push(...languages.map(toNotFoundPath))
  return [...new Set(paths)]
}

function toArticleRoutes(
  { before, after, related, alternates }: ArticleChange,
  languages: readonly string[],
): LanguageRoute[] {
  const states = [before, after].filter((state) => state !== null)
  // A slug may be served in every language: as a translation, or as a redirect to this article.
  const ownPages = states.flatMap(({ slug }) => languages.map((language) => ({ slug, language })))
  const articles = [...ownPages, ...related, ...alternates]
  // The archive lists the months since the oldest article, which an edit does not change.
  const isEdit = before?.month === after?.month && before?.language === after?.language
  return [
    ...articles.map(({ slug, language }) => ({ type: 'article', language, slug }) as const),
    ...states.flatMap(toListRoutes),
    ...(isEdit ? [] : states.map(({ language }) => ({ type: 'archive', language }) as const)),
  ]
}

function toListRoutes(state: ArticleState): LanguageRoute[] {
  const { language, category_slug: category, author_slug: author, month } = state
  return [
    { type: 'home', language },
    ...toFeedRoutes({ language }),
    ...(month === null ? [] : [{ type: 'month', language, month } as const]),
    ...(author === null ? [] : [{ type: 'author', language, slug: author } as const]),
    ...(category === null ? [] : [{ type: 'category', language, slug: category } as const]),
    ...(category === null ? [] : toFeedRoutes({ language, category })),
  ]
}

const toFeedRoutes = (list: { language: string; category?: string }): LanguageRoute[] =>
  FORMATS.map((format) => ({ type: 'feed', format, ...list }))

const toListTags = ({ source, fallbacks }: ResolvedTemplate): string[] =>
  [source, ...fallbacks.map((each) => each.source)].flatMap((text) => text.match(LIST_TAG) ?? [])

const hasList = (template: ResolvedTemplate): boolean => toListTags(template).length > 0

const listsTrending = (template: ResolvedTemplate): boolean =>
  toListTags(template).some((tag) => TRENDING.test(tag))

function toTemplateRoutes(
  { type, key, language }: ResolvedTemplate,
  { languages, categories }: SiteSettingsBlob,
): LanguageRoute[] {
  const applies = (code: string) => (language ?? code) === code
  const codes = languages.map(({ code }) => code).filter(applies)
  if (type === 'page') return codes.map((code) => ({ type, language: code, key }))
  if (key === 'search') return codes.map((code) => ({ type: key, language: code }))
  if (key !== 'category') return []
  return categories
    .filter((category) => applies(category.language))
    .map(({ language: code, slug }) => ({ type: key, language: code, slug }))
}
