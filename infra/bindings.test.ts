import * as pulumi from '@pulumi/pulumi'
import { expect, test } from 'vitest'
import { toManifest, toMediaBindings, toSiteBindings } from './bindings.ts'
import { hashValue, type ManifestEntry } from './manifest.ts'

const worker = { name: 'script', version: '0123456789ab', redeploy: undefined }
const siteBut = (over: Partial<Parameters<typeof toSiteBindings>[0]> = {}) =>
  toSiteBindings({
    apiBaseUrl: 'https://cms.example.com/public/v2',
    siteId: 'harbour',
    host: 'www.example.com',
    pageTypeTtls: { home: 60, article: 300 },
    cssOverride: undefined,
    apiKey: pulumi.secret('the key of the API'),
    purgeSecret: pulumi.secret('the secret of purges'),
    kvNamespaceId: 'namespace',
    invalidationsDatabaseId: 'database',
    logSample: 100,
    rateLimitNamespace: '1001',
    worker,
    ...over,
  })
const mediaBut = (over: Partial<Parameters<typeof toMediaBindings>[0]> = {}) =>
  toMediaBindings({
    bucket: 'media',
    region: 'eu-central-1',
    endpoint: undefined,
    cacheTtl: 604_800,
    logSample: 100,
    accessKeyId: pulumi.secret('the id of a key'),
    secretAccessKey: pulumi.secret('a key'),
    worker,
    ...over,
  })
const namesOf = (bindings: { name: string }[]) => bindings.map(({ name }) => name)

test.each([
  ['site', siteBut()],
  ['canary', siteBut({ cssOverride: { slug: 'harbour', version: '2' } })],
  ['media', mediaBut()],
  ['media elsewhere', mediaBut({ endpoint: 'https://s3.example.com' })],
])('%s: sorted, each name once', (_, bindings) => {
  expect(namesOf(bindings)).toEqual([...new Set(namesOf(bindings))].toSorted())
})

test('what is not set is not bound', () => {
  expect(namesOf(siteBut())).not.toContain('CSS_OVERRIDE_SLUG')
  expect(namesOf(siteBut({ cssOverride: { slug: 'a', version: '1' } }))).toEqual(
    expect.arrayContaining(['CSS_OVERRIDE_SLUG', 'CSS_OVERRIDE_VERSION']),
  )
  expect(namesOf(mediaBut())).not.toContain('STORE_ENDPOINT')
})

test('a nonce is one binding more, so that the script is uploaded again', () => {
  const bindings = mediaBut({ worker: { ...worker, redeploy: '2' } })
  expect(bindings).toContainEqual({ name: 'REDEPLOY', type: 'plain_text', text: '2' })
  expect(namesOf(mediaBut())).not.toContain('REDEPLOY')
})

test('the order of page types makes no difference', () => {
  const ttls = (pageTypeTtls: Record<string, number>) =>
    siteBut({ pageTypeTtls }).find(({ name }) => name === 'PAGE_TYPE_TTLS')
  expect(ttls({ article: 300, home: 60 })).toEqual(ttls({ home: 60, article: 300 }))
})

test('the manifest has values as hashes and secrets by name only', async () => {
  const manifest = toManifest(siteBut({ kvNamespaceId: pulumi.output('namespace') }))
  expect(await pulumi.isSecret(manifest)).toBe(false)
  const entries = await new Promise<ManifestEntry[]>((resolve) => {
    manifest.apply(resolve)
  })
  const find = (name: string) => entries.find((entry) => entry.name === name)
  expect(find('CMS_API_KEY')).toEqual({ name: 'CMS_API_KEY', type: 'secret_text' })
  expect(find('KV')?.fields).toEqual({ namespaceId: hashValue('namespace') })
  expect(find('SITE_HOST')?.fields).toEqual({ text: hashValue('www.example.com') })
  expect(Object.keys(find('SEARCH_RATE_LIMIT')?.fields ?? {})).toEqual([
    ...['namespaceId', 'simple.limit', 'simple.period'],
  ])
  expect(JSON.stringify(entries)).not.toContain('www.example.com')
})
