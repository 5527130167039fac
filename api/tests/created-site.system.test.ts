import { afterAll, beforeAll, expect, test } from 'vitest'
import { ListResponse } from '../../contract/list.ts'
import { SettingsBundle } from '../../contract/settings.ts'
import { createSite } from '../../themes/create-site.ts'
import { createMigrationHandler } from '../entrypoints/migration.ts'
import { createFixture, type Fixture } from './fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.close())

test('a site that was just created can be served', async () => {
  const handle = createMigrationHandler(
    { DATABASE_URL: fixture.url, DATABASE_USER: 'cms_api' },
    { demoSites: ['none'], createSite, importDemo: async () => ({ articles: 0 }) },
  )
  await handle({
    action: 'create-site',
    acronym: 'gazette',
    domain: 'www.gazette.example',
    name: 'The Gazette',
    default_language: 'en',
    languages: ['de'],
  })
  const { request } = fixture.start()
  const settings = await request('/public/v2/sites/gazette/settings')
  expect(settings.status).toBe(200)
  const bundle = SettingsBundle.parse(await settings.json())
  expect(bundle.site).toMatchObject({ acronym: 'gazette', default_language: 'en' })
  expect(bundle.site_settings.templates.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['document', 'home', 'about']),
  )
  const list = await request('/public/v2/sites/gazette/lists?kind=homepage')
  expect(ListResponse.parse(await list.json()).items).toEqual([])
})
