import { expect, test } from 'vitest'
import { toCacheControl } from './cache-control.ts'

test.each([
  [{ public: true, maxAge: 604800, immutable: true }, 'public, max-age=604800, immutable'],
  [{ private: true, noStore: true }, 'private, no-store'],
  [{ public: true, maxAge: 0, mustRevalidate: true }, 'public, max-age=0, must-revalidate'],
  [
    { staleWhileRevalidate: 600.9, sMaxage: 300, public: true, immutable: false },
    'public, s-maxage=300, stale-while-revalidate=600',
  ],
  [{ maxAge: -5 }, 'max-age=0'],
])('the Cache-Control of %j is %s', (directives, expected) => {
  expect(toCacheControl(directives)).toBe(expected)
})
