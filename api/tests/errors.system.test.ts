import { expect, test } from 'vitest'
import { PROBLEMS, Problem } from '../../contract/problem.ts'
import { PREVIEW_SECRET } from './fixture.ts'
import { describeRequests, useNewsroom } from './suite.ts'

const newsroom = useNewsroom()
const V2 = '/public/v2'
const NO_KEY = { key: null }
const PREVIEW = { headers: { 'x-cms-preview': PREVIEW_SECRET } }
const WRONG_SECRET = { headers: { 'x-cms-preview': 'wrong' } }

/** Checks that status and headers of a problem response match its code, and returns the code. */
async function codeOf(response: Response): Promise<string> {
  const problem = Problem.parse(await response.json())
  expect(response.status).toBe(PROBLEMS[problem.code].status)
  expect(problem.status).toBe(response.status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return problem.code
}

describeRequests('the error code without a valid API key', newsroom, codeOf, [
  ['no key', `${V2}/ping`, 'unauthorized', NO_KEY],
  ['a wrong key', `${V2}/ping`, 'unauthorized', { key: 'wrong' }],
  [
    'another scheme',
    `${V2}/ping`,
    'unauthorized',
    { key: null, headers: { authorization: 'Basic eDp5' } },
  ],
  ['no key for an unknown path', '/nothing', 'unauthorized', NO_KEY],
  ['no key for a wrong method', `${V2}/ping`, 'unauthorized', { key: null, method: 'POST' }],
  ['no key for documentation', '/docs', 'unauthorized', NO_KEY],
])

describeRequests('the error code for paths and methods', newsroom, codeOf, [
  ['an unknown path', '/nothing', 'resource_not_found'],
  ['an unknown endpoint', 'nothing', 'resource_not_found'],
  ['a path with an additional segment', 'settings/more', 'resource_not_found'],
  ['a wrong method', 'lists?kind=recent', 'method_not_allowed', { method: 'POST' }],
  ['the method OPTIONS', 'settings', 'method_not_allowed', { method: 'OPTIONS' }],
  ['a path that is not UTF-8', `${V2}/sites/%ff/settings`, 'validation_error'],
  ['a path with NUL', 'pages/a%00b', 'validation_error'],
])

describeRequests('the error code for sites', newsroom, codeOf, [
  ['an unknown site', `${V2}/sites/nobody/settings`, 'resource_not_found'],
  ['an inactive site by id', `${V2}/sites/3/settings`, 'resource_not_found'],
  ['an inactive site by acronym', `${V2}/sites/closed/sitemap`, 'resource_not_found'],
  [
    'an inactive site by domain',
    `${V2}/sites/closed.example/lists?kind=recent`,
    'resource_not_found',
  ],
  [
    'a number far too large for an id',
    `${V2}/sites/99999999999999999999/settings`,
    'resource_not_found',
  ],
  ['a number just too large for an id', `${V2}/sites/2147483648/settings`, 'resource_not_found'],
  ['an inactive site in v1', '/public/v1/sites/closed', 'resource_not_found'],
])

describeRequests('the error code for lists', newsroom, codeOf, [
  ['an unknown kind', 'lists?kind=nothing', 'validation_error'],
  ['no kind', 'lists', 'validation_error'],
  ['category without category', 'lists?kind=category', 'validation_error'],
  ['author without author_slug', 'lists?kind=author', 'validation_error'],
  ['related without related_to', 'lists?kind=related', 'validation_error'],
  ['search without q', 'lists?kind=search', 'validation_error'],
  ['an empty q', 'lists?kind=search&q=', 'validation_error'],
  ['q with more than 100 characters', `lists?kind=search&q=${'x'.repeat(101)}`, 'validation_error'],
  ['q with NUL', 'lists?kind=search&q=a%00', 'validation_error'],
  ['a limit below 1', 'lists?kind=recent&limit=0', 'validation_error'],
  ['a limit above 100', 'lists?kind=recent&limit=101', 'validation_error'],
  ['a limit that is not an integer', 'lists?kind=recent&limit=1.5', 'validation_error'],
  ['a month of year 0', 'lists?kind=recent&month=0000-01', 'validation_error'],
  ['a repeated parameter', 'lists?kind=recent&limit=1&limit=2', 'validation_error'],
  ['an unknown parameter', 'lists?kind=recent&page=2', 'validation_error'],
  ['an invalid cursor', 'lists?kind=recent&cursor=abc', 'validation_error'],
  ['an unknown category', 'lists?kind=category&category=nothing', 'resource_not_found'],
  ['a category whose slug is invalid', 'lists?kind=category&category=A%20b', 'resource_not_found'],
  ['an unknown author', 'lists?kind=author&author_slug=nobody', 'resource_not_found'],
  ['an inactive author', 'lists?kind=author&author_slug=gone', 'resource_not_found'],
  ['related to an unknown article', 'lists?kind=related&related_to=nothing', 'resource_not_found'],
  ['related to a draft', 'lists?kind=related&related_to=draft', 'resource_not_found'],
])

describeRequests('the error code for pages', newsroom, codeOf, [
  ['a related_limit above 50', 'pages/a1?related_limit=51', 'validation_error'],
  ['a related_limit below 0', 'pages/a1?related_limit=-1', 'validation_error'],
  ['a version below 1', 'pages/a1?version=0', 'validation_error', PREVIEW],
  ['a version without the secret', 'pages/a1?version=1', 'forbidden'],
  ['a version with a wrong secret', 'pages/a1?version=1', 'forbidden', WRONG_SECRET],
  ['an unknown version without the secret', 'pages/a1?version=77', 'forbidden'],
  ['an unknown version', 'pages/a1?version=77', 'resource_not_found', PREVIEW],
  ['an unknown slug', 'pages/nothing', 'resource_not_found'],
  ['an unknown slug with a language', 'pages/nothing?language=de', 'resource_not_found'],
  ['a draft', 'pages/draft', 'resource_not_found'],
  ['a draft with a language', 'pages/draft?language=de', 'resource_not_found'],
  ['an unpublished article', 'pages/withdrawn', 'resource_not_found'],
  ['a scheduled article', 'pages/scheduled', 'resource_not_found'],
  ['another type of content', 'pages/advert', 'resource_not_found'],
  ['another type of content in preview', 'pages/advert', 'resource_not_found', PREVIEW],
  ['an article of another site', 'pages/b1', 'resource_not_found'],
])

describeRequests('the error code for authors, sitemap and changes', newsroom, codeOf, [
  ['an unknown author', 'authors/nobody', 'resource_not_found'],
  ['an author who is not active', 'authors/gone', 'resource_not_found'],
  ['an author of another site', `${V2}/sites/2/authors/jane`, 'resource_not_found'],
  ['a limit of the sitemap below 1', 'sitemap?limit=0', 'validation_error'],
  ['a limit of the sitemap above 50000', 'sitemap?limit=50001', 'validation_error'],
  ['since that is not a date', 'sitemap?since=yesterday', 'validation_error'],
  ['an invalid cursor of the sitemap', 'sitemap?cursor=abc', 'validation_error'],
  ['an invalid revision', 'changes?after=x', 'validation_error'],
])

test('a problem names every invalid parameter', async () => {
  const response = await newsroom().request('lists?kind=search&limit=0&x=1')
  const problem = Problem.parse(await response.json())
  expect(problem.errors?.map(({ name }) => name).sort()).toEqual(['limit', 'q', 'x'])
  expect(problem.request_id).toBe(response.headers.get('x-request-id'))
})

test('a 405 lists the allowed methods', async () => {
  const response = await newsroom().request('settings', { method: 'DELETE' })
  expect(response.headers.get('allow')).toBe('GET, HEAD')
})

test('a 401 has a WWW-Authenticate challenge', async () => {
  const challenge = async (key: string | null) =>
    (await newsroom().request(`${V2}/ping`, { key })).headers.get('www-authenticate')
  expect(await challenge(null)).toBe('Bearer realm="cms"')
  expect(await challenge('wrong')).toBe('Bearer realm="cms", error="invalid_token"')
})

test('a row with an invalid required field is a 500 without details; the log names the field', async () => {
  const { fixture, api, request } = newsroom()
  await fixture.sql('ALTER TABLE authors DROP CONSTRAINT authors_name_has_at_most_500_bytes')
  await fixture.insert('authors', { site_id: 1, slug: 'bad', name: 'n'.repeat(501) })
  const response = await request('authors/bad')
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(problem)).not.toContain('name')
  const line = api.lines.find((each) => 'err' in each && each.request_id === problem.request_id)
  expect(String(line?.err)).toContain('author.name')
})
