/** Seconds for which shared caches may serve a response of each endpoint: fresh, then stale while they revalidate. */
export const CACHE_POLICY = {
  settings: { sMaxage: 300, staleWhileRevalidate: 86_400 },
  page: { sMaxage: 300, staleWhileRevalidate: 600 },
  author: { sMaxage: 300, staleWhileRevalidate: 600 },
  list: { sMaxage: 120, staleWhileRevalidate: 600 },
  sitemap: { sMaxage: 3600, staleWhileRevalidate: 3600 },
  changes: { sMaxage: 0, staleWhileRevalidate: 0 },
} as const

export type CachedEndpoint = keyof typeof CACHE_POLICY
