import { expect, test } from 'vitest'
import type { Inspection } from './inspection.ts'
import { createJudge } from './verdict.ts'

// Path of the rows that concern every page of the host.
const WHOLE_HOST = ''
const purge = { kind: 'purge', written_at: 0 } as const
const change = { kind: 'change', written_at: 0 } as const
const entry = {
  key: 'stage.localhost:/a',
  edgeAge: null,
  metadata: {
    entryType: 'article',
    status: 200,
    contentType: 'text/html',
    etag: 'W/"a"',
    lastModified: 0,
    renderedAt: 0,
    freshUntil: Date.now() + 60_000,
    staleUntil: Date.now() + 120_000,
    sequence: 41,
    build: 'build',
  },
}

const inspect = (invalidations: Inspection['invalidations']): Inspection => ({
  entries: [entry],
  isComplete: true,
  invalidations,
  state: { sequence: 42, revision: null, followed_at: null, failure: null },
})

test.each([
  ['fresh', 'nothing', []],
  ['fresh', 'a purge before its rendering', [{ ...purge, path: '/a', sequence: 41 }]],
  ['fresh', 'a purge of another page', [{ ...purge, path: '/b', sequence: 42 }]],
  ['outdated', 'a change', [{ ...change, path: '/a', sequence: 42 }]],
  ['purged', 'a purge', [{ ...purge, path: '/a', sequence: 42 }]],
  ['purged', 'a purge of the host', [{ ...purge, path: WHOLE_HOST, sequence: 42 }]],
])('an entry is %s after %s', async (verdict, _, invalidations) => {
  const judge = await createJudge(inspect(invalidations))
  expect(judge(entry)).toBe(verdict)
})

test('an entry with invalid metadata has no verdict', async () => {
  const judge = await createJudge(inspect([]))
  expect(judge({ ...entry, metadata: { sequence: 'x' } })).toBeUndefined()
})
