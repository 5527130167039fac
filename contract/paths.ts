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

interface Place {
  language: string
  defaultLanguage: string
}

export const toHomeSegments = ({ language, defaultLanguage }: Place): string[] =>
  language === defaultLanguage ? [] : [language]

export const toArticleSegments = (slug: string, place: Place): string[] => [
  ...toHomeSegments(place),
  slug,
]

export const toCategorySegments = (slug: string, place: Place): string[] => [
  ...toHomeSegments(place),
  SEGMENTS.category,
  slug,
]

export const toAuthorSegments = (slug: string, place: Place): string[] => [
  ...toHomeSegments(place),
  SEGMENTS.author,
  slug,
]
