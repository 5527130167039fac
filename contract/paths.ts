/**
 * Paths of a site's pages as decoded segments: the default language at the root, other languages below their code.
 * The API puts these paths into responses, the site worker routes them; both encode them with `http/path.ts`.
 */

/** First segments, below the language, of pages that are not articles. */
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
