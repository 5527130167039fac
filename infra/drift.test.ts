import { describe, expect, it } from 'vitest'
import { findDrift, type Live, type LiveScript } from './drift.ts'
import type { Declaration } from './manifest.ts'

const declarationBut = (but: Partial<Declaration> = {}): Declaration => ({
  accountId: 'account',
  zoneId: 'zone',
  scriptName: 'site',
  compatibilityDate: '2026-07-01',
  contentSha256: 'c'.repeat(64),
  bindings: [
    { name: 'A', type: 'plain_text', sha256: 'a'.repeat(64) },
    { name: 'KEY', type: 'secret_text' },
  ],
  routes: ['a.example/*'],
  hostnames: ['b.example'],
  crons: ['* * * * *'],
  ...but,
})

const liveBut = (but: Partial<Live> = {}, script: Partial<LiveScript> = {}): Live => ({
  script: {
    ...{ bindings: declarationBut().bindings, contentSha256: 'c'.repeat(64) },
    ...{ compatibilityDate: '2026-07-01', crons: ['* * * * *'] },
    ...{ workersDev: false, previewUrls: false },
    ...script,
  },
  routes: [{ pattern: 'a.example/*', script: 'site' }],
  domains: [{ hostname: 'b.example', service: 'site' }],
  ...but,
})

const withRoute = (pattern: string, script?: string) =>
  liveBut({ routes: [...liveBut().routes, { pattern, script }] })

const toNames = (live: Live) =>
  findDrift(declarationBut(), live).map(({ what, name }) => `${what} ${name}`)

describe('findDrift', () => {
  it.each<[string, Live]>([
    ['nothing changed', liveBut()],
    [
      'bindings came in another order',
      liveBut({}, { bindings: declarationBut().bindings.toReversed() }),
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
        { bindings: declarationBut().bindings.map((each) => ({ ...each, type: 'plain_text' })) },
      ),
      ['binding KEY'],
    ],
  ])('finds %s', (_, live, expected) => expect(toNames(live)).toEqual(expected))

  it('tells values by the start of their hash only', () => {
    const changed = [{ name: 'A', type: 'plain_text', sha256: 'b'.repeat(64) }]
    expect(findDrift(declarationBut(), liveBut({}, { bindings: changed }))[0]).toEqual({
      ...{ what: 'binding', name: 'A' },
      ...{ declared: 'plain_text sha256 aaaaaaaaaaaa', live: 'plain_text sha256 bbbbbbbbbbbb' },
    })
  })
})
