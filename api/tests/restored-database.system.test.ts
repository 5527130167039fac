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

test('a revision from before renew-restore-id causes a reset', async () => {
  const { request } = fixture.start()
  const read = async (path: string) => ChangesResponse.parse(await (await request(path)).json())
  const before = await read(CHANGES)
  const query = `?after=${before.revision}&restore_id=${before.restore_id}`
  expect(await read(CHANGES + query)).toMatchObject({ reset: false })

  const handle = createMigrationHandler(
    { DATABASE_URL: fixture.url, DATABASE_USER: 'cms_api' },
    {
      newsrooms: ['none'],
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
