import { describe, expect, it, test } from 'vitest'
import { findDrift, type LiveScript, type LiveState } from './drift.ts'
import type { Declaration } from './manifest.ts'

const declarationWith = (overrides: Partial<Declaration> = {}): Declaration => ({
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
  ...overrides,
})

const liveWith = (
  overrides: Partial<LiveState> = {},
  script: Partial<LiveScript> = {},
): LiveState => ({
  script: {
    bindings: declarationWith().bindings,
    contentSha256: 'c'.repeat(64),
    settings: declarationWith().settings,
    crons: ['* * * * *'],
    workersDev: false,
    previewUrls: false,
    ...script,
  },
  database: { readReplication: 'disabled' },
  routes: [{ pattern: 'a.example/*', script: 'site' }],
  domains: [{ hostname: 'b.example', service: 'site' }],
  ...overrides,
})

const settingsWith = (overrides: LiveScript['settings']) => ({
  ...declarationWith().settings,
  ...overrides,
})

const withRoute = (pattern: string, script?: string) =>
  liveWith({ routes: [...liveWith().routes, { pattern, script }] })

/** Returns a live state with undeclared settings, and undeclared fields in each binding. */
function withNewFields(): LiveState {
  const { bindings, settings } = declarationWith()
  const added = {
    text2: 'f'.repeat(64),
    'simple.mitigationTimeout': 'f'.repeat(64),
    id: 'f'.repeat(64),
  }
  return liveWith(
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

const toNames = (live: LiveState) =>
  findDrift(declarationWith(), live).map(({ what, name }) => `${what} ${name}`)

test('a route of equal precedence is reported as undecided', () => {
  expect(findDrift(declarationWith(), withRoute('https://a.example/*', 'other'))).toEqual([
    {
      what: 'route',
      name: 'a.example/*',
      declared: 'site has precedence',
      live: 'undecided: https://a.example/* → other has the same precedence, either may get the requests',
    },
  ])
})

test('each changed field of a binding is a separate difference', () => {
  const bindings = declarationWith().bindings.map((each) =>
    each.name === 'LIMIT' ? { ...each, fields: { namespaceId: '0', 'simple.limit': '1' } } : each,
  )
  const found = findDrift(declarationWith(), liveWith({}, { bindings }))
  expect(found.map(({ name, property }) => `${name} ${property}`)).toEqual([
    'LIMIT namespaceId',
    'LIMIT simple.limit',
  ])
})

describe('findDrift', () => {
  it.each<[string, LiveState]>([
    ['the state is as declared', liveWith()],
    [
      'the bindings are in another order',
      liveWith({}, { bindings: declarationWith().bindings.toReversed() }),
    ],
    ['Cloudflare adds fields and settings', withNewFields()],
    [
      'Cloudflare omits settings that are off',
      liveWith({}, { settings: { compatibilityDate: '2026-07-01', 'limits.cpuMs': 2000 } }),
    ],
    [
      'the route of a media worker has precedence over that of the site',
      withRoute('a.example/cmp-media/*', 'cms-edge-media-stage'),
    ],
    ['another script has a route on another host', withRoute('c.example/*', 'other')],
    ['another script has a wildcard of lower precedence', withRoute('*a.example/*', 'other')],
  ])('finds no difference if %s', (_, live) => {
    expect(toNames(live)).toEqual([])
  })

  it.each<[string, LiveState, string[]]>([
    ['a route of higher precedence', withRoute('a.example/x/*', 'other'), ['route a.example/*']],
    [
      'a route of higher precedence without a script',
      withRoute('a.example/x/*'),
      ['route a.example/*'],
    ],
    [
      'a route of another script at the media path',
      withRoute('a.example/cmp-media/*', 'x'),
      ['route a.example/*'],
    ],
    [
      'a wildcard of higher precedence than the custom domain',
      withRoute('*.example/*', 'x'),
      ['route b.example/*'],
    ],
    [
      'an undeclared route of the same script',
      withRoute('d.example/*', 'site'),
      ['route d.example/*'],
    ],
    ['a deleted route', liveWith({ routes: [] }), ['route a.example/*']],
    ...(['https', 'http'] as const).map((scheme): [string, LiveState, string[]] => [
      `a route of equal precedence with ${scheme}`,
      withRoute(`${scheme}://a.example/*`, 'other'),
      ['route a.example/*'],
    ]),
    [
      'a removed CPU limit',
      liveWith({}, { settings: settingsWith({ 'limits.cpuMs': undefined }) }),
      ['script limits.cpuMs'],
    ],
    [
      'an added compatibility flag',
      liveWith({}, { settings: settingsWith({ compatibilityFlags: 'nodejs_compat' }) }),
      ['script compatibility flags'],
    ],
    [
      'enabled caching',
      liveWith({}, { settings: settingsWith({ 'cacheOptions.enabled': true }) }),
      ['script cacheOptions.enabled'],
    ],
    ['a deleted database', liveWith({ database: undefined }), ['database database']],
    ['read replicas', liveWith({ database: { readReplication: 'auto' } }), ['database database']],
    ['enabled preview URLs', liveWith({}, { previewUrls: true }), ['workers.dev previews of site']],
    [
      'a deleted script',
      liveWith({ script: undefined, domains: [] }),
      ['script site', 'custom domain b.example'],
    ],
    [
      'a secret that became a variable',
      liveWith(
        {},
        {
          bindings: declarationWith().bindings.map((each) =>
            each.name === 'KEY' ? { ...each, type: 'plain_text' } : each,
          ),
        },
      ),
      ['binding KEY'],
    ],
  ])('finds %s', (_, live, expected) => expect(toNames(live)).toEqual(expected))

  it('shows only the start of the hash of a value', () => {
    const changed = [
      { name: 'A', type: 'plain_text', fields: { text: 'b'.repeat(64) } },
      ...declarationWith().bindings.slice(1),
    ]
    expect(findDrift(declarationWith(), liveWith({}, { bindings: changed }))[0]).toEqual({
      what: 'binding',
      name: 'A',
      property: 'text',
      declared: 'plain_text sha256 aaaaaaaaaaaa',
      live: 'plain_text sha256 bbbbbbbbbbbb',
    })
  })
})
