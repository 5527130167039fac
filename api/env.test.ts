import { expect, test } from 'vitest'
import { parseEnvironment } from './env.ts'

const DIGEST = 'ab'.repeat(32)
const BY_URL = { CMS_API_KEY_DIGESTS: DIGEST, DATABASE_URL: 'postgresql://localhost/cms' }
const { DATABASE_URL: _, ...WITHOUT_DATABASE } = BY_URL
const BY_HOST = {
  ...WITHOUT_DATABASE,
  DATABASE_HOST: 'db.example',
  DATABASE_PORT: '5433',
  DATABASE_NAME: 'cms',
  DATABASE_USER: 'cms_api',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
}

test('a database can be configured by URL', () => {
  expect(parseEnvironment(BY_URL)).toMatchObject({
    keyDigests: [DIGEST],
    previewDigests: [],
    v1Enabled: true,
    databaseAddress: { type: 'url', url: BY_URL.DATABASE_URL },
  })
})

test('a database can be configured by host, with IAM authentication', () => {
  const { databaseAddress } = parseEnvironment(BY_HOST)
  expect(databaseAddress).toMatchObject({
    type: 'iam',
    DATABASE_HOST: 'db.example',
    DATABASE_PORT: 5433,
  })
})

test.each([
  ['no key', { ...BY_URL, CMS_API_KEY_DIGESTS: '' }, ['CMS_API_KEY_DIGESTS']],
  [
    'a key instead of its digest',
    { ...BY_URL, CMS_API_KEY_DIGESTS: 'secret' },
    ['CMS_API_KEY_DIGESTS'],
  ],
  ['no database', WITHOUT_DATABASE, ['DATABASE_URL']],
  [
    'a boolean that is neither true nor false',
    { ...BY_URL, PUBLIC_V1_ENABLED: 'yes' },
    ['PUBLIC_V1_ENABLED'],
  ],
  ['a port above 65535', { ...BY_URL, PORT: '99999' }, ['PORT']],
  [
    'several invalid variables',
    { DATABASE_HOST: 'db.example' },
    ['CMS_API_KEY_DIGESTS', 'DATABASE_NAME', 'AWS_REGION'],
  ],
])('an error names the variable: %s', (_name, variables, names) => {
  const parse = () => parseEnvironment(variables)
  for (const name of names) expect(parse).toThrow(name)
})
