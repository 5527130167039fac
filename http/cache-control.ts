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

const NAMES = Object.entries(DIRECTIVES) as [keyof typeof DIRECTIVES, string][]

export type CacheControl = { [directive in keyof typeof DIRECTIVES]?: boolean | number }

/** Creates a Cache-Control value. Numbers are seconds, rounded down, at least 0. `false` omits a directive. */
export function toCacheControl(directives: CacheControl): string {
  let text = ''
  for (const [key, name] of NAMES) {
    const value = directives[key]
    if (value === undefined || value === false) continue
    const directive = value === true ? name : `${name}=${Math.max(0, Math.floor(value))}`
    text += text === '' ? directive : `, ${directive}`
  }
  return text
}
