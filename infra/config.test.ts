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

function toRaw(stack: string, values: Values, plain: string[] = []) {
  const full = (key: string) => (key.includes(':') ? key : `cms-edge:${key}`)
  const entries = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[full(key), value]],
  )
  const secretKeys = secretSettings.filter((key) => !plain.includes(key)).map(full)
  return { stack, values: Object.fromEntries(entries), secretKeys }
}
const parseStage = (over: Values = {}, plain: string[] = []) =>
  parseSiteConfig(environments['site-stage'], toRaw('site-stage', { ...stage, ...over }, plain))
const parseMk2 = (over: Values = {}) =>
  parseSiteConfig(environments['site-stage-mk2'], toRaw('site-stage-mk2', { ...mk2, ...over }))
const parseMedia = (over: Values = {}) =>
  parseMediaConfig(toRaw('media-stage', { ...media, ...over }))

describe('a configuration that can be used', () => {
  test('has its defaults, numbers and flags', () => {
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

  test('holds secrets as outputs that are secret', async () => {
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

  test('has hosts under any top-level domain', () => {
    const hosts = ['www.xn--e1afmkfd.xn--p1ai', 'example.xn--vermgensberatung-pwb']
    expect(parseMedia({ MEDIA_HOSTS: JSON.stringify(hosts) })).toMatchObject({ MEDIA_HOSTS: hosts })
  })

  test('has passwords of whatever RDS takes', () => {
    const password = `!#$%&'()*+,-.0123456789:;<=>?A[\\]^_\`a{|}~`
    expect(() => parseStage({ DATABASE_ADMIN_PASSWORD: password })).not.toThrow()
  })

  test('has buckets with dots and digits', () => {
    for (const STORE_BUCKET of ['media.example.com', '1.2.3', '192.0.2.1a'])
      expect(parseMedia({ STORE_BUCKET })).toMatchObject({ STORE_BUCKET })
  })

  test('loses the trailing slash of a base URL', () => {
    expect(parseMk2({ CMS_API_BASE_URL: 'https://a.example/public/v2/' })).toMatchObject({
      CMS_API_BASE_URL: 'https://a.example/public/v2',
    })
  })

  test('names the region of an external store as that store does', () => {
    const credential = { STORE_ACCESS_KEY_ID: secret, STORE_SECRET_ACCESS_KEY: secret }
    const external = parseMedia({ ...credential, STORE_REGION: 'auto' })
    expect(external).toMatchObject({ kind: 'external-bucket', STORE_REGION: 'auto' })
    expect(() => parseMedia({ STORE_REGION: 'auto' })).toThrow('STORE_REGION is no region')
  })

  test('may keep what only a sibling kind needs', () => {
    expect(parseStage({ CMS_API_BASE_URL: 'https://a.example/public/v2' }).kind).toBe(
      'external-backend',
    )
    expect(parseStage({ DATABASE_SUBNET_IDS: '["subnet-0123456789abcdef0"]' }).kind).toBe(
      'own-backend',
    )
  })
})

const random = '"$(openssl rand -hex 32)"'

interface Refusal {
  parse: () => unknown
  says: string
  mend: string
}

const refusals: Record<string, Refusal> = {
  'a missing host': {
    parse: () => parseStage({ SITE_HOST: undefined }),
    says: 'SITE_HOST is missing',
    mend: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a host in capitals': {
    parse: () => parseStage({ SITE_HOST: 'WWW.example.com' }),
    says: 'SITE_HOST is no lower-case host name',
    mend: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'an address for a host': {
    parse: () => parseStage({ SITE_HOST: '192.0.2.1' }),
    says: 'SITE_HOST is no lower-case host name',
    mend: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a host with a port': {
    parse: () => parseStage({ SITE_HOST: 'www.example.com:80' }),
    says: 'SITE_HOST is no lower-case host name',
    mend: 'set SITE_HOST www.example.com --stack site-stage',
  },
  'a missing secret': {
    parse: () => parseMk2({ ADMIN_PURGE_SECRET: undefined }),
    says: 'ADMIN_PURGE_SECRET is missing',
    mend: `set --secret ADMIN_PURGE_SECRET ${random} --stack site-stage-mk2`,
  },
  'a short secret': {
    parse: () => parseStage({ CMS_API_KEY: 'x'.repeat(31) }),
    says: 'CMS_API_KEY has fewer than 32 characters',
    mend: `set --secret CMS_API_KEY ${random} --stack site-stage`,
  },
  'a secret with the end of its line': {
    parse: () => parseStage({ CMS_API_KEY: `${secret}\n` }),
    says: 'CMS_API_KEY has characters that are no visible ASCII',
    mend: `set --secret CMS_API_KEY ${random} --stack site-stage`,
  },
  'a secret in plain text': {
    parse: () => parseStage({}, ['CMS_API_KEY']),
    says: 'CMS_API_KEY is a secret in plain text',
    mend: `set --secret CMS_API_KEY ${random} --stack site-stage`,
  },
  'a list of secrets in plain text': {
    parse: () => parseStage({ CMS_API_KEYS_EXTRA: `["${secret}"]` }, ['CMS_API_KEYS_EXTRA']),
    says: 'CMS_API_KEYS_EXTRA is a secret in plain text',
    mend: `set --secret --path 'CMS_API_KEYS_EXTRA[0]' ${random} --stack site-stage`,
  },
  'a short secret in a list': {
    parse: () => parseStage({ CMS_PREVIEW_SECRETS_EXTRA: `["${secret}","short"]` }),
    says: 'CMS_PREVIEW_SECRETS_EXTRA[1] has fewer than 32 characters',
    mend: `set --secret --path 'CMS_PREVIEW_SECRETS_EXTRA[1]' ${random} --stack site-stage`,
  },
  'a password that RDS refuses': {
    parse: () => parseStage({ DATABASE_ADMIN_PASSWORD: `${secret}/` }),
    says: 'DATABASE_ADMIN_PASSWORD is not 32 to 128 characters',
    mend: `set --secret DATABASE_ADMIN_PASSWORD ${random} --stack site-stage`,
  },
  'a password beyond ASCII': {
    parse: () => parseStage({ DATABASE_ADMIN_PASSWORD: `${secret}ü` }),
    says: 'DATABASE_ADMIN_PASSWORD is not 32 to 128 characters',
    mend: `set --secret DATABASE_ADMIN_PASSWORD ${random} --stack site-stage`,
  },
  'a page type that does not exist': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: '{"hmoe":60}' }),
    says: 'PAGE_TYPE_TTLS.hmoe is not known',
    mend: "rm --path 'PAGE_TYPE_TTLS.hmoe' --stack site-stage",
  },
  'a time to live below a second': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: '{"home":0}' }),
    says: 'PAGE_TYPE_TTLS.home is no number of seconds',
    mend: "set --path 'PAGE_TYPE_TTLS.home' 60 --stack site-stage",
  },
  'an object that is no JSON': {
    parse: () => parseStage({ PAGE_TYPE_TTLS: 'home' }),
    says: 'PAGE_TYPE_TTLS is no JSON',
    mend: "set --path 'PAGE_TYPE_TTLS.home' 60 --stack site-stage",
  },
  'a key that nobody reads': {
    parse: () => parseStage({ SITE_HSOT: 'www.example.com' }),
    says: 'SITE_HSOT is not known',
    mend: 'rm SITE_HSOT --stack site-stage',
  },
  'a CSS override besides the canary': {
    parse: () => parseStage({ CSS_OVERRIDE_SLUG: 'harbour' }),
    says: 'CSS_OVERRIDE_SLUG is not known',
    mend: 'rm CSS_OVERRIDE_SLUG --stack site-stage',
  },
  'a canary without its override': {
    parse: () => parseMk2({ CSS_OVERRIDE_VERSION: undefined }),
    says: 'CSS_OVERRIDE_VERSION is missing',
    mend: 'set CSS_OVERRIDE_VERSION 2 --stack site-stage-mk2',
  },
  'a DNS record of the canary': {
    parse: () => parseMk2({ MANAGE_DNS: 'true' }),
    says: 'MANAGE_DNS is not known',
    mend: 'rm MANAGE_DNS --stack site-stage-mk2',
  },
  'a base URL that is none': {
    parse: () => parseStage({ CMS_API_BASE_URL: 'cms.example.com' }),
    says: 'CMS_API_BASE_URL is no http(s) URL',
    mend: 'set CMS_API_BASE_URL https://cms.example.com/public/v2 --stack site-stage',
  },
  'an external database without its network': {
    parse: () => parseStage({ DATABASE_HOST: 'db.example.com' }),
    says: 'DATABASE_SUBNET_IDS is missing',
    mend: "set --path 'DATABASE_SUBNET_IDS[0]' subnet-0123456789abcdef0 --stack site-stage",
  },
  'an endpoint of the store with a path': {
    parse: () => parseMedia({ STORE_ENDPOINT: 'https://s3.example.com/media' }),
    says: 'STORE_ENDPOINT is no origin',
    mend: 'set STORE_ENDPOINT https://s3.example.com --stack media-stage',
  },
  'a bucket with an empty label': {
    parse: () => parseMedia({ STORE_BUCKET: 'example..media' }),
    says: 'STORE_BUCKET is no bucket name',
    mend: 'set STORE_BUCKET example-media --stack media-stage',
  },
  'a bucket named like an address': {
    parse: () => parseMedia({ STORE_BUCKET: '192.0.2.1' }),
    says: 'STORE_BUCKET is no bucket name',
    mend: 'set STORE_BUCKET example-media --stack media-stage',
  },
  'a boundary that is no policy': {
    parse: () => parseMedia({ PERMISSIONS_BOUNDARY_ARN: 'cms-edge-boundary' }),
    says: 'PERMISSIONS_BOUNDARY_ARN is no ARN of an IAM policy',
    mend: 'set PERMISSIONS_BOUNDARY_ARN arn:aws:iam::123456789012:policy/cms-edge-boundary --stack media-stage',
  },
  'media without hosts': {
    parse: () => parseMedia({ MEDIA_HOSTS: '[]' }),
    says: 'MEDIA_HOSTS lists no host',
    mend: "set --path 'MEDIA_HOSTS[0]' www.example.com --stack media-stage",
  },
  'half of a credential': {
    parse: () => parseMedia({ STORE_ACCESS_KEY_ID: secret }),
    says: 'STORE_SECRET_ACCESS_KEY is missing',
    mend: 'set --secret STORE_SECRET_ACCESS_KEY "$STORE_SECRET_ACCESS_KEY" --stack media-stage',
  },
}

describe('a configuration that cannot be used', () => {
  test.each(Object.entries(refusals))('%s', (_, { parse, says, mend }) => {
    expect(parse).toThrow(says)
    expect(parse).toThrow(`\n    pulumi config ${mend}`)
  })

  test('is reported in one message, without a secret in it', () => {
    const plain = ['CMS_API_KEY', 'ADMIN_PURGE_SECRET']
    const planted = 'planted'
    const over = {
      CMS_API_KEY: planted,
      ADMIN_PURGE_SECRET: planted,
      SITE_HOST: '',
      MANAGE_DNS: 'yes',
    }
    const message = toMessage(() => parseStage(over, plain))
    expect(message.match(/pulumi config set/g)).toHaveLength(6)
    expect(message).not.toContain(planted)
  })
})

function toMessage(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    return String(error)
  }
  return ''
}
