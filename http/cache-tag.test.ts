import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toCacheTag } from './cache-tag.ts'

test.each([
  ['www.example.com', 'www.example.com/cmp-media/a.jpg'],
  ['WWW.example.com:8787', 'www.example.com/cmp-media/a.jpg'],
  ['stage.example.com', 'stage.example.com/cmp-media/a.jpg'],
])('the tag of a path on %s is the SHA-256 of %s', async (host, hostAndPath) => {
  const expected = createHash('sha256').update(hostAndPath).digest('hex')
  expect(await toCacheTag(host, '/cmp-media/a.jpg')).toBe(expected)
})
