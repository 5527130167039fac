import { expect, it } from 'vitest'
import { parseSearchQuery } from './search-query.ts'

const ROWS: [string, { q: string; cursor?: string }][] = [
  ['', { q: '' }],
  ['q=Ferry', { q: 'ferry' }],
  ['q=+night%20%20%09ferry%0a', { q: 'night ferry' }],
  ['q=fa%CC%88hre', { q: 'fähre' }],
  ['q=ferry&after=abc', { q: 'ferry', cursor: 'abc' }],
  ['q=&after=abc', { q: '' }],
  [`q=${'x'.repeat(300)}`, { q: 'x'.repeat(100) }],
  [`q=x${'🚢'.repeat(80)}`, { q: `x${'🚢'.repeat(49)}` }],
  ['q=a%00b', { q: 'a b' }],
  ['q=%F0', { q: '' }],
  ['q=caf%C3%A9%F0+noir', { q: 'café noir' }],
]

it.each(ROWS)('parses ?%s', (query, expected) => {
  expect(parseSearchQuery(new URLSearchParams(query))).toEqual(expected)
})
