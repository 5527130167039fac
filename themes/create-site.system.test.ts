import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importDemo } from '../demo/import-demo.ts'
import { createDatabase, type TestDatabase } from '../prisma/test-database.ts'
import { createSite, type NewSite } from './create-site.ts'

let database: TestDatabase
let client: pg.Client

beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})

afterEach(async () => {
  await client.end()
  await database.drop()
})

const siteBut = (site: Partial<NewSite> = {}): NewSite => ({
  acronym: 'gazette',
  domain: 'www.gazette.example',
  name: 'The Gazette',
  defaultLanguage: 'en',
  languages: ['en', 'ar', 'pt-br'],
  timezone: 'Europe/Lisbon',
  theme: 'meridian',
  ...site,
})

const select = async (sql: string) => (await client.query(sql)).rows

test('adds a site with its settings, languages and templates', async () => {
  const { siteId } = await createSite(database.url, siteBut())
  expect(await select('SELECT * FROM sites')).toMatchObject([
    { id: siteId, acronym: 'gazette', domain: 'www.gazette.example', active: true },
  ])
  expect(await select('SELECT * FROM site_settings')).toMatchObject([
    {
      site_id: siteId,
      title: 'The Gazette',
      active_template: 'meridian',
      css_slug: 'meridian',
      css_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    },
  ])
  expect(
    await select('SELECT code, name, direction FROM site_languages ORDER BY position'),
  ).toEqual([
    { code: 'en', name: 'English', direction: 'ltr' },
    { code: 'ar', name: 'العربية', direction: 'rtl' },
    { code: 'pt-br', name: 'português (Brasil)', direction: 'ltr' },
  ])
  const [elements] = await select(
    `SELECT array_agg(key) @> '{document,home,article,about}' AS enough FROM template_elements`,
  )
  expect(elements).toEqual({ enough: true })
})

test('changes no template that exists; a demo site adds only its own overrides', async () => {
  await createSite(database.url, siteBut())
  await client.query(`UPDATE template_elements SET source = 'edited' WHERE key = 'about'`)
  await createSite(database.url, siteBut({ acronym: 'herald', domain: 'herald.example' }))
  await importDemo(database.url, { acronym: 'harbour' })
  expect(await select(`SELECT source FROM template_elements WHERE key = 'about'`)).toEqual([
    { source: 'edited' },
  ])
  const [overrides] = await select(
    `SELECT array_agg(key) AS keys FROM template_overrides JOIN template_elements e ON e.id = element_id
      WHERE site_id = (SELECT id FROM sites WHERE acronym = 'harbour')`,
  )
  expect(overrides).toEqual({ keys: ['not_found'] })
  expect(await select('SELECT acronym FROM sites ORDER BY id')).toMatchObject([
    { acronym: 'gazette' },
    { acronym: 'herald' },
    { acronym: 'harbour' },
  ])
})

test.each([
  ['an acronym in use', { domain: 'herald.example' }, 'already'],
  ['a domain in use', { acronym: 'herald', domain: 'WWW.gazette.example' }, 'already'],
  [
    'a theme without a stylesheet',
    { acronym: 'herald', theme: 'no-such' },
    'Choose one of harbour',
  ],
])('rejects %s and changes nothing', async (_, change, reason) => {
  await createSite(database.url, siteBut())
  await expect(createSite(database.url, siteBut(change))).rejects.toThrow(reason)
  expect(await select('SELECT acronym FROM sites')).toEqual([{ acronym: 'gazette' }])
})
