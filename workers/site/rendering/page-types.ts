/** Every kind of page with the seconds that it stays fresh when `PAGE_TYPE_TTLS` is silent about it. */
export const PAGE_TYPE_DEFAULTS = {
  home: 60,
  article: 300,
  category: 120,
  author: 300,
  search: 60,
  page: 3600,
  feed: 300,
  sitemap: 3600,
  robots: 3600,
  ads: 3600,
  not_found: 30,
} as const satisfies Record<string, number>

export type PageType = keyof typeof PAGE_TYPE_DEFAULTS

export const PAGE_TYPES = Object.keys(PAGE_TYPE_DEFAULTS) as [PageType, ...PageType[]]
