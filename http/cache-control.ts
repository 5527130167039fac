// RFC 9111 §5.2.2, RFC 5861 §3, RFC 8246 §2.
const DIRECTIVES = {
  public: 'public',
  private: 'private',
  noStore: 'no-store',
  maxAge: 'max-age',
  sMaxage: 's-maxage',
  staleWhileRevalidate: 'stale-while-revalidate',
  mustRevalidate: 'must-revalidate',
  immutable: 'immutable',
} as const

export type CacheControl = { [directive in keyof typeof DIRECTIVES]?: boolean | number }

/** Creates a Cache-Control value. Numbers are seconds, rounded down; directives that are `false` are omitted. */
export function toCacheControl(directives: CacheControl): string {
  const parts = Object.entries(DIRECTIVES).map(([key, name]) => {
    const value = directives[key as keyof CacheControl]
    return typeof value === 'number' ? `${name}=${Math.max(0, Math.floor(value))}` : value && name
  })
  return parts.filter(Boolean).join(', ')
}
