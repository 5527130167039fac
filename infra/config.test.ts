import * as pulumi from '@pulumi/pulumi'
import { describe, expect, test } from 'vitest'
import { parseMediaConfig, parseSiteConfig } from './config.ts'
import { environments } from './environments.ts'
import { secretSettings } from './settings.ts'

type Values = Record<string, string | undefined>

const secret = 'x'.repeat(40)
const cloudflare = { CLOUDFLARE_ACCOUNT_ID: 'a'.repeat(32), CLOUDFLARE_ZONE_ID: 'b'.repeat(32) }
const site: Values = {
  ...cloudflare,
  SITE_HOST: 'www.example.com',
  CMS_SITE_ID: 'harbour',
  CMS_API_KEY: secret,
  ADMIN_PURGE_SECRET: secret,
}
const stage: Values = { ...site, 'aws:region': 'eu-central-1', DATABASE_ADMIN_PASSWORD: secret }
const mk2: Values = { ...site, CSS_OVERRIDE_SLUG: 'harbour', CSS_OVERRIDE_VERSION: '2' }
const media: Values = {
  ...cloudflare,
  'aws:region': 'eu-central-1',
  MEDIA_HOSTS: '["www.example.com"]',
  STORE_BUCKET: 'example-media',
  STORE_REGION: 'eu-central-1',
  MEDIA_CACHE_TTL: '604800',
}

/** Returns the configuration of a stack; secrets in `plain` are stored as plain text. */
function toRaw(stack: string, values: Values, plain: string[] = []) {
  const toFullKey = (key: string) => (key.includes(':') ? key : `cms-edge:${key}`)
  const entries = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[toFullKey(key), value]],
  )
  const secretKeys = secretSettings.filter((key) => !plain.includes(key)).map(toFullKey)
  return { stack, values: Object.fromEntries(entries), secretKeys }
}
const parseStage = (overrides: Values = {}, plain: string[] = []) =>
  parseSiteConfig(
    environments['site-stage'],
    toRaw('site-stage', { ...stage, ...overrides }, plain),
  )
const parseMk2 = (overrides: Values = {}) =>
  parseSiteConfig(environments['site-stage-mk2'], toRaw('site-stage-mk2', { ...mk2, ...overrides }))
const parseMedia = (overrides: Values = {}) =>
  parseMediaConfig(toRaw('media-stage', { ...media, ...overrides }))

describe('a valid configuration', () => {
  test('gets default values, and its numbers and flags are converted', () => {
    expect(
      parseStage({ MANAGE_DNS: 'true', PAGE_TYPE_TTLS: '{"home":"30","article":60}' }),
    ).toMatchObject({
      kind: 'own-backend',
      MANAGE_DNS: true,
      PUBLIC_V1_ENABLED: true,
      PAGE_TYPE_TTLS: { home: 30, article: 60 },
      DATABASE_NAME: 'cms',
    })
    expect(parseMedia()).toMatchObject({ kind: 'own-bucket', MEDIA_CACHE_TTL: 604_800 })
  })

  test('may have an empty list of secrets in plain text', () => {
    expect(() => parseStage({ CMS_API_KEYS_EXTRA: '[]' }, ['CMS_API_KEYS_EXTRA'])).not.toThrow()
  })

  test('has secrets as secret outputs', async () => {
    const settings = Object.entries(parseStage({ CMS_API_KEYS_EXTRA: JSON.stringify([secret]) }))
    const [hidden, plain] = [true, false].map((isSecret) =>
      settings.filter(([key]) => secretSettings.includes(key) === isSecret),
    )
    expect(hidden).toHaveLength(4)
    for (const [, value] of hidden ?? []) {
      expect(await pulumi.isSecret(pulumi.output(value))).toBe(true)
    }
    expect(JSON.stringify(plain)).not.toContain(secret)
  })

  test('may have hosts under any top-level domain', () => {
    const hosts = ['www.xn--e1afmkfd.xn--p1ai', 'example.xn--vermgensberatung-pwb']
    expect(parseMedia({ MEDIA_HOSTS: JSON.stringify(hosts) })).toMatchObject({ MEDIA_HOSTS: hosts })
  })

  test('may have a password of all characters that RDS accepts', () => {
    const password = `!#$%&'()*+,-.0123456789:;<=>?A[\\]^_\`a{|}~`
    expect(() => parseStage({ DATABASE_ADMIN_PASSWORD: password })).not.toThrow()
  })

  test('may have buckets with dots and digits', () => {
    for (const STORE_BUCKET of ['media.example.com', '1.2.3', '192.0.2.1a'])
      expect(parseMedia({ STORE_BUCKET })).toMatchObject({ STORE_BUCKET })
  })

  test('has a base URL without its trailing slash', () => {
    expect(parseMk2({ CMS_API_BASE_URL: 'https://a.example/public/v2/' })).toMatchObject({
      CMS_API_BASE_URL: 'https://a.example/public/v2',
    })
  })

  test('may have another form of region for an external store', () => {
    const credential = { STORE_ACCESS_KEY_ID: secret, STORE_SECRET_ACCESS_KEY: secret }
    const external = parseMedia({ ...credential, STORE_REGION: 'auto' })
    expect(external).toMatchObject({ kind: 'external-bucket', STORE_REGION: 'auto' })
    expect(() => parseMedia({ STORE_REGION: 'auto' })).toThrow('STORE_REGION is not a region')
  })

  test('may have settings that only another kind of stack uses', () => {
    expect(parseStage({ CMS_API_BASE_URL: 'https://a.example/public/v2' }).kind).toBe(
      'external-backend',
    )
    expect(parseStage({ DATABASE_SUBNET_IDS: '["subnet-0123456789abcdef0"]' }).kind).toBe(
      'own-backend',
    )
  })
})

const RANDOM = '"$(openssl rand -hex 32)"'

interface InvalidConfig {
  parse: () => unknown
  message: string
  command: string
}

const invalidConfigs: Record<string, InvalidConfig> = {
  'a missing host': {
    parse: () => parseStage({ SITE_HOST: undefined }),
    message: 'SITE_HOST is missing',
    command: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a host in capitals': {
    parse: () => parseStage({ SITE_HOST: 'WWW.example.com' }),
    message: 'SITE_HOST is not a lower-case host name',
    command: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'an IP address instead of a host': {
    parse: () => parseStage({ SITE_HOST: '192.0.2.1' }),
    message: 'SITE_HOST is not a lower-case host name',
    command: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a host with a port': {
    parse: () => parseStage({ SITE_HOST: 'www.example.com:80' }),
    message: 'SITE_HOST is not a lower-case host name',
    command: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a missing secret': {
    parse: () => parseMk2({ ADMIN_PURGE_SECRET: undefined }),
    message: 'ADMIN_PURGE_SECRET is missing',
    command: `set --secret ADMIN_PURGE_SECRET ${RANDOM} --stack site-stage-mk2`,
  },
  'a short secret': {
    parse: () => parseStage({ CMS_API_KEY: 'x'.repeat(31) }),
    message: 'CMS_API_KEY has fewer than 32 characters',
    command: `set --secret CMS_API_KEY ${RANDOM} --stack site-stage`,
  },
  'a secret with a line end': {
    parse: () => parseStage({ CMS_API_KEY: `${secret}\n` }),
    message: 'CMS_API_KEY has characters other than visible ASCII',
    command: `set --secret CMS_API_KEY ${RANDOM} --stack site-stage`,
  },
  'a secret in plain text': {
    parse: () => parseStage({}, ['CMS_API_KEY']),
    message: 'CMS_API_KEY is a secret in plain text',
    command: `set --secret CMS_API_KEY ${RANDOM} --stack site-stage`,
  },
  'a list of secrets in plain text': {
    parse: () => parseStage({ CMS_API_KEYS_EXTRA: `["${secret}"]` }, ['CMS_API_KEYS_EXTRA']),
    message: 'CMS_API_KEYS_EXTRA is a secret in plain text',
    command: `set --secret --path 'CMS_API_KEYS_EXTRA[0]' ${RANDOM} --stack site-stage`,
  },
  'a short secret in a list': {
    parse: () => parseStage({ CMS_PREVIEW_SECRETS_EXTRA: `["${secret}","short"]` }),
    message: 'CMS_PREVIEW_SECRETS_EXTRA[1] has fewer than 32 characters',
    command: `set --secret --path 'CMS_PREVIEW_SECRETS_EXTRA[1]' ${RANDOM} --stack site-stage`,
  },
  'a password that RDS rejects': {
    parse: () => parseStage({ DATABASE_ADMIN_PASSWORD: `${secret}/` }),
    message: 'DATABASE_ADMIN_PASSWORD is not 32 to 128 characters',
    command: `set --secret DATABASE_ADMIN_PASSWORD ${RANDOM} --stack site-stage`,
  },
  'a password with characters other than ASCII': {
    parse: () => parseStage({ DATABASE_ADMIN_PASSWORD: `${secret}ü` }),
    message: 'DATABASE_ADMIN_PASSWORD is not 32 to 128 characters',
    command: `set --secret DATABASE_ADMIN_PASSWORD ${RANDOM} --stack site-stage`,
  },
  'a page type that does not exist': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: '{"hmoe":60}' }),
    message: 'PAGE_TYPE_TTLS.hmoe is not a known setting',
    command: "rm --path 'PAGE_TYPE_TTLS.hmoe' --stack site-stage",
  },
  'a time to live below a second': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: '{"home":0}' }),
    message: 'PAGE_TYPE_TTLS.home is not a number of seconds',
    command: "set --path 'PAGE_TYPE_TTLS.home' 60 --stack site-stage",
  },
  'an object that is not JSON': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: 'home' }),
    message: 'PAGE_TYPE_TTLS is not valid JSON',
    command: "set --path 'PAGE_TYPE_TTLS.home' 60 --stack site-stage",
  },
  'an unknown setting': {
    parse: () => parseStage({ SITE_HSOT: 'www.example.com' }),
    message: 'SITE_HSOT is not a known setting',
    command: 'rm SITE_HSOT --stack site-stage',
  },
  'a CSS override on another stack than the canary': {
    parse: () => parseStage({ CSS_OVERRIDE_SLUG: 'harbour' }),
    message: 'CSS_OVERRIDE_SLUG is not a known setting',
    command: 'rm CSS_OVERRIDE_SLUG --stack site-stage',
  },
  'a canary without its override': {
    parse: () => parseMk2({ CSS_OVERRIDE_VERSION: undefined }),
    message: 'CSS_OVERRIDE_VERSION is missing',
    command: 'set CSS_OVERRIDE_VERSION 2 --stack site-stage-mk2',
  },
  'a DNS record of the canary': {
    parse: () => parseMk2({ MANAGE_DNS: 'true' }),
    message: 'MANAGE_DNS is not a known setting',
    command: 'rm MANAGE_DNS --stack site-stage-mk2',
  },
  'a base URL without a scheme': {
    parse: () => parseStage({ CMS_API_BASE_URL: 'cms.example.com' }),
    message: 'CMS_API_BASE_URL is not an http(s) URL',
    command: 'set CMS_API_BASE_URL https://cms.example.com/public/v2 --stack site-stage',
  },
  'an external database without its network': {
    parse: () => parseStage({ DATABASE_HOST: 'db.example.com' }),
    message: 'DATABASE_SUBNET_IDS is missing',
    command: "set --path 'DATABASE_SUBNET_IDS[0]' subnet-0123456789abcdef0 --stack site-stage",
  },
  'an endpoint of the store with a path': {
    parse: () => parseMedia({ STORE_ENDPOINT: 'https://s3.example.com/media' }),
    message: 'STORE_ENDPOINT is not an origin',
    command: 'set STORE_ENDPOINT https://s3.example.com --stack media-stage',
  },
  'a bucket with an empty label': {
    parse: () => parseMedia({ STORE_BUCKET: 'example..media' }),
    message: 'STORE_BUCKET is not a bucket name',
    command: 'set STORE_BUCKET example-media --stack media-stage',
  },
  'a bucket named like an IP address': {
    parse: () => parseMedia({ STORE_BUCKET: '192.0.2.1' }),
    message: 'STORE_BUCKET is not a bucket name',
    command: 'set STORE_BUCKET example-media --stack media-stage',
  },
  'a boundary that is not an ARN': {
    parse: () => parseMedia({ PERMISSIONS_BOUNDARY_ARN: 'cms-edge-boundary' }),
    message: 'PERMISSIONS_BOUNDARY_ARN is not an ARN of an IAM policy',
    command:
      'set PERMISSIONS_BOUNDARY_ARN arn:aws:iam::123456789012:policy/cms-edge-boundary --stack media-stage',
  },
  'media without hosts': {
    parse: () => parseMedia({ MEDIA_HOSTS: '[]' }),
    message: 'MEDIA_HOSTS must list at least one host',
    command: "set --path 'MEDIA_HOSTS[0]' www.example.com --stack media-stage",
  },
  'an incomplete credential': {
    parse: () => parseMedia({ STORE_ACCESS_KEY_ID: secret }),
    message: 'STORE_SECRET_ACCESS_KEY is missing',
    command: 'set --secret STORE_SECRET_ACCESS_KEY "$STORE_SECRET_ACCESS_KEY" --stack media-stage',
  },
}

describe('an invalid configuration', () => {
  test.each(Object.entries(invalidConfigs))(
    'with %s fails with the reason and a command',
    (_, { parse, message, command }) => {
      expect(parse).toThrow(message)
      expect(parse).toThrow(`\n    pulumi config ${command}`)
    },
  )

  test('is reported in one message, which contains no secret', () => {
    const plain = ['CMS_API_KEY', 'ADMIN_PURGE_SECRET']
    const plainSecret = 'short-secret'
    const overrides = {
      CMS_API_KEY: plainSecret,
      ADMIN_PURGE_SECRET: plainSecret,
      SITE_HOST: '',
      MANAGE_DNS: 'yes',
    }
    const message = catchMessage(() => parseStage(overrides, plain))
    // Each secret is too short and in plain text; SITE_HOST and MANAGE_DNS are invalid.
    expect(message.match(/pulumi config set/g)).toHaveLength(6)
    expect(message).not.toContain(plainSecret)
  })
})

function catchMessage(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    return String(error)
  }
  return ''
}
