/** Seconds for which a shared cache may serve an endpoint's response fresh, then stale while it revalidates. */
export const CACHE_POLICY = {
  settings: { sMaxage: 300, staleWhileRevalidate: 86_400 },
  page: { sMaxage: 300, staleWhileRevalidate: 600 },
  author: { sMaxage: 300, staleWhileRevalidate: 600 },
  list: { sMaxage: 120, staleWhileRevalidate: 600 },
  sitemap: { sMaxage: 3600, staleWhileRevalidate: 3600 },
  changes: { sMaxage: 0, staleWhileRevalidate: 0 },
} as const

export type CachedEndpoint = keyof typeof CACHE_POLICY
