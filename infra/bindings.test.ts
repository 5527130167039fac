import * as pulumi from '@pulumi/pulumi'
import { expect, test } from 'vitest'
import { toManifest, toMediaBindings, toSiteBindings } from './bindings.ts'
import { hashValue, type ManifestEntry } from './manifest.ts'

const worker = { name: 'script', version: '0123456789ab', redeploy: undefined }
const siteBindingsWith = (overrides: Partial<Parameters<typeof toSiteBindings>[0]> = {}) =>
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
    ...overrides,
  })
const mediaBindingsWith = (overrides: Partial<Parameters<typeof toMediaBindings>[0]> = {}) =>
  toMediaBindings({
    bucket: 'media',
    region: 'eu-central-1',
    endpoint: undefined,
    cacheTtl: 604_800,
    logSample: 100,
    accessKeyId: pulumi.secret('the id of a key'),
    secretAccessKey: pulumi.secret('a key'),
    worker,
    ...overrides,
  })
const namesOf = (bindings: { name: string }[]) => bindings.map(({ name }) => name)

test.each([
  ['site', siteBindingsWith()],
  ['canary', siteBindingsWith({ cssOverride: { slug: 'harbour', version: '2' } })],
  ['media', mediaBindingsWith()],
  ['media (external store)', mediaBindingsWith({ endpoint: 'https://s3.example.com' })],
])('bindings of a %s worker are sorted and have unique names', (_, bindings) => {
  expect(namesOf(bindings)).toEqual([...new Set(namesOf(bindings))].toSorted())
})

test('settings without a value have no binding', () => {
  expect(namesOf(siteBindingsWith())).not.toContain('CSS_OVERRIDE_SLUG')
  expect(namesOf(siteBindingsWith({ cssOverride: { slug: 'a', version: '1' } }))).toEqual(
    expect.arrayContaining(['CSS_OVERRIDE_SLUG', 'CSS_OVERRIDE_VERSION']),
  )
  expect(namesOf(mediaBindingsWith())).not.toContain('STORE_ENDPOINT')
})

test('REDEPLOY is an additional binding, so that the script is uploaded again', () => {
  const bindings = mediaBindingsWith({ worker: { ...worker, redeploy: '2' } })
  expect(bindings).toContainEqual({ name: 'REDEPLOY', type: 'plain_text', text: '2' })
  expect(namesOf(mediaBindingsWith())).not.toContain('REDEPLOY')
})

test('the binding PAGE_TYPE_TTLS does not depend on the order of page types', () => {
  const toTtlsBinding = (pageTypeTtls: Record<string, number>) =>
    siteBindingsWith({ pageTypeTtls }).find(({ name }) => name === 'PAGE_TYPE_TTLS')
  expect(toTtlsBinding({ article: 300, home: 60 })).toEqual(
    toTtlsBinding({ home: 60, article: 300 }),
  )
})

test('the manifest contains hashes of values, and only the names of secrets', async () => {
  const manifest = toManifest(siteBindingsWith({ kvNamespaceId: pulumi.output('namespace') }))
  expect(await pulumi.isSecret(manifest)).toBe(false)
  const entries = await new Promise<ManifestEntry[]>((resolve) => {
    manifest.apply(resolve)
  })
  const find = (name: string) => entries.find((entry) => entry.name === name)
  expect(find('CMS_API_KEY')).toEqual({ name: 'CMS_API_KEY', type: 'secret_text' })
  expect(find('KV')?.fields).toEqual({ namespaceId: hashValue('namespace') })
  expect(find('SITE_HOST')?.fields).toEqual({ text: hashValue('www.example.com') })
  expect(Object.keys(find('SEARCH_RATE_LIMIT')?.fields ?? {})).toEqual([
    'namespaceId',
    'simple.limit',
    'simple.period',
  ])
  expect(JSON.stringify(entries)).not.toContain('www.example.com')
})
