/**
 * Where a site shows its content, as decoded path segments: the default language at the root, others below their code.
 * The API names these paths in its responses, the site worker routes by them; both encode them with `http/path.ts`.
 */

/** First segments of what is not an article, below the language. */
export const SEGMENTS = {
  category: 'category',
  author: 'author',
  archive: 'archive',
  search: 'search',
  sitemap: 'sitemap',
} as const

interface PathLanguage {
  language: string
  defaultLanguage: string
}

export const toHomeSegments = ({ language, defaultLanguage }: PathLanguage): string[] =>
  language === defaultLanguage ? [] : [language]

export const toArticleSegments = (slug: string, languages: PathLanguage): string[] => [
  ...toHomeSegments(languages),
  slug,
]

export const toCategorySegments = (slug: string, languages: PathLanguage): string[] => [
  ...toHomeSegments(languages),
  SEGMENTS.category,
  slug,
]

export const toAuthorSegments = (slug: string, languages: PathLanguage): string[] => [
  ...toHomeSegments(languages),
  SEGMENTS.author,
  slug,
]
