import { expect, test } from 'vitest'
import { findMissingCredentials } from './credentials.ts'

const findMissing = (
  variables: Record<string, string>,
  { values = {}, needsAws = true, files = [] as string[] } = {},
) =>
  findMissingCredentials({
    values,
    variables: { HOME: '/home/operator', ...variables },
    needsAws,
    exists: (path) => files.includes(path),
  }).map(({ path }) => path[0])

const token = { CLOUDFLARE_API_TOKEN: 't' }

test('each missing credential is a separate problem', () => {
  expect(findMissing({})).toEqual(['CLOUDFLARE_API_TOKEN', 'AWS_ACCESS_KEY_ID'])
  expect(findMissing({ AWS_ACCESS_KEY_ID: 'a' })).toEqual(['CLOUDFLARE_API_TOKEN'])
  expect(findMissing(token)).toEqual(['AWS_ACCESS_KEY_ID'])
  expect(findMissing({}, { needsAws: false })).toEqual(['CLOUDFLARE_API_TOKEN'])
})

test.each([
  ['variables', { ...token, AWS_ACCESS_KEY_ID: 'a' }, {}],
  ['a profile', { ...token, AWS_PROFILE: 'prod' }, {}],
  ['a web identity token', { ...token, AWS_WEB_IDENTITY_TOKEN_FILE: '/f' }, {}],
  ['files of the AWS CLI', token, { files: ['/home/operator/.aws/config'] }],
  ['the role of the machine', token, { values: { 'aws:skipMetadataApiCheck': 'false' } }],
  [
    'config of the providers',
    {},
    { values: { 'cloudflare:apiToken': 't', 'aws:profile': 'prod' } },
  ],
  ['attached providers', { PULUMI_DEBUG_PROVIDERS: 'aws:1,cloudflare:2' }, {}],
])('no credential is missing with %s', (_, variables, more) => {
  expect(findMissing(variables, more)).toEqual([])
})
