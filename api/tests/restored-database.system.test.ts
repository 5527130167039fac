import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChangesResponse } from '../../contract/changes.ts'
import { createMigrationHandler } from '../entrypoints/migration.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

const CHANGES = '/public/v2/sites/alpha/changes'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
})
afterAll(() => fixture.close())

test('a revision from before the event renew-restore-id causes a reset', async () => {
  const { request } = fixture.start()
  const read = async (path: string) => ChangesResponse.parse(await (await request(path)).json())
  const before = await read(CHANGES)
  const query = `?after=${before.revision}&restore_id=${before.restore_id}`
  expect(await read(CHANGES + query)).toMatchObject({ reset: false })

  const handle = createMigrationHandler(
    { DATABASE_URL: fixture.url, DATABASE_USER: 'cms_api' },
    {
      demoSites: ['none'],
      createSite: async () => ({ siteId: 1 }),
      importDemo: async () => ({ articles: 0 }),
    },
  )
  const outcome = await handle({ action: 'renew-restore-id' })

  const after = await read(CHANGES + query)
  expect(after).toMatchObject({ reset: true })
  expect(outcome).toEqual({ restoreId: after.restore_id })
  expect(after.restore_id).not.toBe(before.restore_id)
})

test('responses cached before a restore are not served after it', async () => {
  const { request } = fixture.start()
  const titleOf = async () => {
    const response = await request('/public/v2/sites/1/pages/a2')
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
