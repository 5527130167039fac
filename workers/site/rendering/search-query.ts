export interface SearchQuery {
  /** Normalised text; empty: no search. */
  q: string
  cursor?: string
}

const MAX_LENGTH = 100
// `URLSearchParams` replaces bytes that are not UTF-8 by U+FFFD (`?q=%F0`).
const SEPARATOR = /[\s\p{Cc}\ufffd]+/u
/** The first half of a character whose second half was cut off. */
const UNPAIRED_SURROGATE = /[\ud800-\udbff]$/

/** Parses `q` and `after`. Equal texts get the same `q`, because it is part of the cache key. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const words = (parameters.get('q') ?? '').toWellFormed().normalize('NFC').split(SEPARATOR)
  const text = words.filter(Boolean).join(' ').toLowerCase()
  const q = text.slice(0, MAX_LENGTH).replace(UNPAIRED_SURROGATE, '').trim()
  const cursor = parameters.get('after')
  return cursor && q ? { q, cursor } : { q }
}

/** Returns the path of a search with its query string; the inverse of `parseSearchQuery`. */
export function toSearchPath(path: string, { q, cursor }: SearchQuery): string {
  return `${path}?${new URLSearchParams({ q, ...(cursor && { after: cursor }) })}`
}
