import { expect, test } from 'vitest'
import { requireOwnUrls, toStackConfig } from './stack-config.ts'

const ownOrigin = 'http://127.0.0.1:8787'
const toConfig = (config: Record<string, unknown>, overrides = {}) =>
  toStackConfig({
    project: 'cms-edge',
    config,
    overrides,
    providers: { 'cloudflare:baseUrl': `${ownOrigin}/client/v4` },
  })

test('keeps the keys that the program reads, and replaces provider settings', () => {
  const config = toConfig({
    'aws:region': 'eu-central-1',
    'aws:endpoints': [{ s3: 'https://s3.example.com' }],
    'aws:profile': 'prod',
    'cloudflare:apiToken': 'token',
    'cloudflare:baseUrl': 'https://hostile.example/client/v4',
    'cms-edge:SITE_HOST': 'www.example.com',
    'other:KEY': 'x',
    'pulumi:disable-default-providers': ['*'],
    MANAGE_DNS: true,
  })
  expect(config).toEqual({
    'aws:region': 'eu-central-1',
    'cms-edge:SITE_HOST': 'www.example.com',
    'cms-edge:MANAGE_DNS': true,
    'cloudflare:baseUrl': `${ownOrigin}/client/v4`,
  })
})

test('omits encrypted values, and settings that are overridden by undefined', () => {
  const config = {
    'cms-edge:CMS_API_KEY': { secure: 'v1:x' },
    'cms-edge:DATABASE_HOST': 'db.example',
  }
  const overrides = { DATABASE_HOST: undefined, SITE_HOST: 'stage.localhost' }
  expect(toConfig(config, overrides)).toEqual({
    'cms-edge:SITE_HOST': 'stage.localhost',
    'cloudflare:baseUrl': `${ownOrigin}/client/v4`,
  })
})

test.each([
  ['another host', { A: 'https://api.example.com/x' }],
  ['another port of this machine', { A: 'http://127.0.0.1:9/x' }],
  ['another scheme', { A: 's3://bucket' }],
  ['a URL in a list', { A: [ownOrigin, 'http://hostile.example'] }],
  ['a URL in an object', { A: { b: { c: 'http://hostile.example' } } }],
  ['a malformed URL', { A: 'http://[' }],
])('rejects %s', (_, values) => {
  expect(() => requireOwnUrls(values, [ownOrigin])).toThrow('not a URL of this rehearsal')
})

test('allows its own URLs, and values that are not URLs', () => {
  const values = {
    A: `${ownOrigin}/client/v4`,
    B: 'www.example.com',
    C: ['arn:aws:sns:x:1:y'],
    D: 1,
  }
  expect(() => requireOwnUrls(values, [ownOrigin])).not.toThrow()
})
