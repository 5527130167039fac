export interface SearchQuery {
  q: string
  cursor?: string
}

const MAX_CHARACTERS = 100

/** `?q=` and `?after=` of a search, normalised: one spelling for each question, so that it can be a cache key. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const words = (parameters.get('q') ?? '')
    .toWellFormed()
    .normalize('NFC')
    .split(/[\s\p{Cc}]+/u)
  const q = [...words.filter(Boolean).join(' ').toLowerCase()].slice(0, MAX_CHARACTERS).join('')
  const cursor = parameters.get('after')
  return cursor && q ? { q, cursor } : { q }
}
