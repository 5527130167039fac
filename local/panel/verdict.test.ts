import { expect, test } from 'vitest'
import type { Inspection } from './inspection.ts'
import { createJudge } from './verdict.ts'

const HOST = 'news.test'

test.each<[string, 'purge' | 'change', string]>([
  ['fresh', 'purge', '/another-page'],
  ['outdated', 'change', '/a-page'],
  ['purged', 'purge', '/a-page'],
  ['purged', 'purge', ''],
])('an entry is %s after a %s of the path "%s"', async (verdict, kind, path) => {
  const now = Date.now()
  const metadata = {
    entryType: 'article',
    status: 200,
    contentType: 'text/html',
    etag: 'W/"1"',
    lastModified: now,
    renderedAt: now,
    freshUntil: now + 60_000,
    staleUntil: now + 120_000,
    sequence: 1,
    build: 'build',
  }
  const inspection: Inspection = {
    entries: [],
    isComplete: true,
    invalidations: [{ path, kind, sequence: 2, written_at: now }],
    state: { sequence: 2, revision: null, followed_at: null, failure: null },
  }
  const judge = await createJudge(inspection)
  expect(judge({ key: `${HOST}:/a-page`, metadata, edgeAge: null })).toBe(verdict)
})
