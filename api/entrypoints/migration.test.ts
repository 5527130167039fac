import { expect, test } from 'vitest'
import { createEventSchema, createMigrationHandler } from './migration.ts'

const loaders = {
  demoSites: ['harbour', 'meridian'],
  createSite: async () => ({ siteId: 1 }),
  importDemo: async () => ({ articles: 0 }),
} as const
const MigrationEvent = createEventSchema(loaders.demoSites)

const createSiteEvent = {
  action: 'create-site',
  acronym: 'gazette',
  domain: 'www.gazette.example',
  name: 'The Gazette',
  default_language: 'en',
}

test('fields that an event does not have get defaults', () => {
  expect(MigrationEvent.parse(createSiteEvent)).toEqual({
    ...createSiteEvent,
    languages: [],
    timezone: 'UTC',
    theme: 'harbour',
  })
})

test.each(['www.gazette.example', 'www.xn--e1afmkfd.xn--p1ai', 'gazette.xn--vermgensberatung-pwb'])(
  'accepts the domain %s',
  (domain) => {
    expect(MigrationEvent.parse({ ...createSiteEvent, domain })).toMatchObject({ domain })
  },
)

test.each([
  ['an event without action', {}, 'action'],
  ['an unknown action', { action: 'drop' }, 'action'],
  ['an unknown field', { action: 'migrate', force: true }, 'force'],
  ['a site without acronym', { ...createSiteEvent, acronym: undefined }, 'acronym'],
  ['an acronym with spaces', { ...createSiteEvent, acronym: 'The Gazette' }, 'acronym'],
  ['a URL instead of a host', { ...createSiteEvent, domain: 'https://gazette.example' }, 'domain'],
  ['a host in capitals', { ...createSiteEvent, domain: 'WWW.gazette.example' }, 'domain'],
  ['an empty name', { ...createSiteEvent, name: '' }, 'name'],
  [
    'a language name instead of a code',
    { ...createSiteEvent, default_language: 'English' },
    'default_language',
  ],
  ['languages that are not a list', { ...createSiteEvent, languages: 'en' }, 'languages'],
  [
    'a time zone that does not exist',
    { ...createSiteEvent, timezone: 'Europe/Wexhaven' },
    'timezone',
  ],
  ['a site that the demo does not have', { action: 'import-demo', acronym: 'gazette' }, 'acronym'],
])('%s is rejected before a connection to the database', async (_, event, field) => {
  const handle = createMigrationHandler(
    {
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      DATABASE_USER: 'cms_api',
    },
    loaders,
  )
  const error = await handle(event).then(String, String)
  expect(error).toContain('Invalid event')
  expect(error).toContain(field)
})

test.each([
  ['no database user', { DATABASE_URL: 'postgresql://127.0.0.1/cms' }],
  ['no database address', { DATABASE_USER: 'cms_api' }],
  ['an incomplete database address', { DATABASE_USER: 'cms_api', DATABASE_HOST: 'db.example' }],
])('creating the handler fails with %s', (_, variables) => {
  expect(() => createMigrationHandler(variables, loaders)).toThrow()
})
