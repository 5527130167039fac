import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture, type Instance } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  api = fixture.start()
})
afterAll(() => fixture.close())

const statusOf = async (path: string): Promise<number> =>
  (await api.request(`/public/v2/sites/1/${path}`)).status

test('no request fails when a column of a prepared statement changes its type', async () => {
  const paths = ['lists?kind=recent&limit=', 'lists?kind=featured&limit=']
  // Each connection prepares the statements and caches their plans.
  for (let limit = 1; limit <= 12; limit++)
    for (const path of paths) expect(await statusOf(`${path}${limit}`)).toBe(200)
  await fixture.sql(`ALTER TABLE articles ALTER COLUMN word_count TYPE bigint`)
  await fixture.sql(`ALTER TABLE sites ALTER COLUMN acronym TYPE varchar(100)`)
  for (const path of paths) expect(await statusOf(`${path}20`)).toBe(200)
  expect(await statusOf('settings')).toBe(200)
  await fixture.sql(`ALTER TABLE articles ALTER COLUMN word_count TYPE integer`)
  for (const path of paths) expect(await statusOf(`${path}30`)).toBe(200)
})

test('responses cached before a restore are not served after it', async () => {
  const titleOf = async () => {
    const response = await api.request('/public/v2/sites/1/pages/a2')
    return ((await response.json()) as { title: string }).title
  }
  const [newest] = await fixture.sql<{ revision: string }>(
    'SELECT max(revision) AS revision FROM revisions WHERE site_id = 1',
  )
  await fixture.sql(`UPDATE articles SET title = 'Lost by the restore' WHERE slug = 'a2'`)
  expect(await titleOf()).toBe('Lost by the restore')
  // Simulates a restore from before the edit, and a later edit that gets the same revision.
  await fixture.sql(`UPDATE articles SET title = 'Written after the restore' WHERE slug = 'a2'`)
  await fixture.sql('DELETE FROM revisions WHERE site_id = 1 AND revision > $1 + 1', [
    newest?.revision,
  ])
  await fixture.sql('SELECT renew_restore_id()')
  expect(await titleOf()).toBe('Written after the restore')
})
