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
  // Each connection prepares the statements. Each limit is another cache key, so no response comes from the cache.
  for (let limit = 1; limit <= 12; limit++)
    for (const path of paths) expect(await statusOf(`${path}${limit}`)).toBe(200)
  await fixture.sql(`ALTER TABLE articles ALTER COLUMN word_count TYPE bigint`)
  await fixture.sql(`ALTER TABLE sites ALTER COLUMN acronym TYPE varchar(100)`)
  for (const path of paths) expect(await statusOf(`${path}20`)).toBe(200)
  expect(await statusOf('settings')).toBe(200)
  await fixture.sql(`ALTER TABLE articles ALTER COLUMN word_count TYPE integer`)
  for (const path of paths) expect(await statusOf(`${path}30`)).toBe(200)
})
