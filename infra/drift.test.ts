import { describe, expect, it, test } from 'vitest'
import { findDrift, type Live, type LiveScript } from './drift.ts'
import type { Declaration } from './manifest.ts'

const declarationBut = (but: Partial<Declaration> = {}): Declaration => ({
  accountId: 'account',
  zoneId: 'zone',
  scriptName: 'site',
  settings: {
    compatibilityDate: '2026-07-01',
    compatibilityFlags: '',
    'limits.cpuMs': 2000,
    'cacheOptions.enabled': false,
  },
  contentSha256: 'c'.repeat(64),
  bindings: [
    { name: 'A', type: 'plain_text', fields: { text: 'a'.repeat(64) } },
    {
      name: 'LIMIT',
      type: 'ratelimit',
      fields: { namespaceId: 'd'.repeat(64), 'simple.limit': 'e'.repeat(64) },
    },
    { name: 'KEY', type: 'secret_text' },
  ],
  invalidationsDatabaseId: 'database',
  routes: ['a.example/*'],
  hostnames: ['b.example'],
  crons: ['* * * * *'],
  ...but,
})

const liveBut = (but: Partial<Live> = {}, script: Partial<LiveScript> = {}): Live => ({
  script: {
    ...{ bindings: declarationBut().bindings, contentSha256: 'c'.repeat(64) },
    ...{ settings: declarationBut().settings, crons: ['* * * * *'] },
    ...{ workersDev: false, previewUrls: false },
    ...script,
  },
  database: { readReplication: 'disabled' },
  routes: [{ pattern: 'a.example/*', script: 'site' }],
  domains: [{ hostname: 'b.example', service: 'site' }],
  ...but,
})

const settingsBut = (but: LiveScript['settings']) => ({ ...declarationBut().settings, ...but })

const withRoute = (pattern: string, script?: string) =>
  liveBut({ routes: [...liveBut().routes, { pattern, script }] })

/** Every part of the live state with fields that nobody declared. */
function withNewFields(): Live {
  const { bindings, settings } = declarationBut()
  const added = {
    text2: 'f'.repeat(64),
    'simple.mitigationTimeout': 'f'.repeat(64),
    id: 'f'.repeat(64),
  }
  return liveBut(
    {},
    {
      bindings: bindings.map((each) => ({ ...each, fields: { ...added, ...each.fields } })),
      settings: {
        ...settings,
        logpush: true,
        'limits.subrequests': 50,
        placement: 'smart',
        tags: '',
      },
    },
  )
}

const toNames = (live: Live) =>
  findDrift(declarationBut(), live).map(({ what, name }) => `${what} ${name}`)

test('a route of equal precedence is reported as undecided', () => {
  expect(findDrift(declarationBut(), withRoute('https://a.example/*', 'other'))).toEqual([
    {
      what: 'route',
      name: 'a.example/*',
      declared: 'site wins',
      live: 'undecided: https://a.example/* → other has equal precedence',
    },
  ])
})

test('each field of a binding that differs is one difference', () => {
  const bindings = declarationBut().bindings.map((each) =>
    each.name === 'LIMIT' ? { ...each, fields: { namespaceId: '0', 'simple.limit': '1' } } : each,
  )
  const found = findDrift(declarationBut(), liveBut({}, { bindings }))
  expect(found.map(({ name, property }) => `${name} ${property}`)).toEqual([
    'LIMIT namespaceId',
    'LIMIT simple.limit',
  ])
})

describe('findDrift', () => {
  it.each<[string, Live]>([
    ['nothing changed', liveBut()],
    [
      'bindings came in another order',
      liveBut({}, { bindings: declarationBut().bindings.toReversed() }),
    ],
    ['Cloudflare adds fields and settings', withNewFields()],
    [
      'Cloudflare leaves out what is off',
      liveBut({}, { settings: { compatibilityDate: '2026-07-01', 'limits.cpuMs': 2000 } }),
    ],
    [
      "a media worker's route stands before the site's",
      withRoute('a.example/cmp-media/*', 'cms-edge-media-stage'),
    ],
    ["another's route answers another host", withRoute('c.example/*', 'other')],
    ["another's wildcard is weaker than the route", withRoute('*a.example/*', 'other')],
  ])('finds nothing where %s', (_, live) => {
    expect(toNames(live)).toEqual([])
  })

  it.each<[string, Live, string[]]>([
    ['a route before the own one', withRoute('a.example/x/*', 'other'), ['route a.example/*']],
    ['a route to nothing before it', withRoute('a.example/x/*'), ['route a.example/*']],
    [
      'a stranger at the media path',
      withRoute('a.example/cmp-media/*', 'x'),
      ['route a.example/*'],
    ],
    ['a wildcard before the custom domain', withRoute('*.example/*', 'x'), ['route b.example/*']],
    ['a second route of its own', withRoute('d.example/*', 'site'), ['route d.example/*']],
    ['a route that is gone', liveBut({ routes: [] }), ['route a.example/*']],
    ...(['https', 'http'] as const).map((scheme): [string, Live, string[]] => [
      `a route of equal precedence with ${scheme}`,
      withRoute(`${scheme}://a.example/*`, 'other'),
      ['route a.example/*'],
    ]),
    [
      'a removed CPU limit',
      liveBut({}, { settings: settingsBut({ 'limits.cpuMs': undefined }) }),
      ['script limits.cpuMs'],
    ],
    [
      'an added compatibility flag',
      liveBut({}, { settings: settingsBut({ compatibilityFlags: 'nodejs_compat' }) }),
      ['script compatibility flags'],
    ],
    [
      'caching switched on',
      liveBut({}, { settings: settingsBut({ 'cacheOptions.enabled': true }) }),
      ['script cacheOptions.enabled'],
    ],
    ['a database that is gone', liveBut({ database: undefined }), ['database database']],
    ['read replicas', liveBut({ database: { readReplication: 'auto' } }), ['database database']],
    ['previews', liveBut({}, { previewUrls: true }), ['workers.dev previews of site']],
    [
      'a script that is gone',
      liveBut({ script: undefined, domains: [] }),
      ['script site', 'custom domain b.example'],
    ],
    [
      'a secret that became a variable',
      liveBut(
        {},
        {
          bindings: declarationBut().bindings.map((each) =>
            each.name === 'KEY' ? { ...each, type: 'plain_text' } : each,
          ),
        },
      ),
      ['binding KEY'],
    ],
  ])('finds %s', (_, live, expected) => expect(toNames(live)).toEqual(expected))

  it('shows values by the start of their hash only', () => {
    const changed = [
      { name: 'A', type: 'plain_text', fields: { text: 'b'.repeat(64) } },
      ...declarationBut().bindings.slice(1),
    ]
    expect(findDrift(declarationBut(), liveBut({}, { bindings: changed }))[0]).toEqual({
      ...{ what: 'binding', name: 'A', property: 'text' },
      ...{ declared: 'plain_text sha256 aaaaaaaaaaaa', live: 'plain_text sha256 bbbbbbbbbbbb' },
    })
  })
})
