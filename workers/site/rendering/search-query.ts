export interface SearchQuery {
  q: string
  cursor?: string
}

const MAX_LENGTH = 100
// `URLSearchParams` replaces bytes that are not UTF-8 by U+FFFD (`?q=%F0`).
const SEPARATOR = /[\s\p{Cc}\ufffd]+/u
const HALF_CHARACTER = /[\ud800-\udbff]$/

/** `?q=` and `?after=` of a search, normalised: one spelling for each query, so that it can be a cache key. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const words = (parameters.get('q') ?? '').toWellFormed().normalize('NFC').split(SEPARATOR)
  const text = words.filter(Boolean).join(' ').toLowerCase()
  const q = text.slice(0, MAX_LENGTH).replace(HALF_CHARACTER, '').trim()
  const cursor = parameters.get('after')
  return cursor && q ? { q, cursor } : { q }
}

/** The address of a search: its `q` and `after` are what `parseSearchQuery` reads back. */
export function toSearchPath(path: string, { q, cursor }: SearchQuery): string {
  return `${path}?${new URLSearchParams({ q, ...(cursor && { after: cursor }) })}`
}
