import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { verifyPreview } from '../contract/preview.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const purged = { host: 'stage.localhost', scope: 'site', converges_within_seconds: 5 }

interface StubResponse {
  status: number
  body: unknown
}
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Starts a stand-in for a site worker, which sends these responses in order and records the requests. */
async function startSite(responses: readonly StubResponse[]) {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    const { authorization, host } = request.headers
    requests.push({ url: request.url, authorization, host, body: await json(request) })
    const { status, body } = responses[requests.length - 1] ?? { status: 500, body: {} }
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  stops.push(() => server.close())
  return { requests, url: `http://stage.localhost:${(server.address() as AddressInfo).port}` }
}

function run(command: string, args: readonly string[], url: string) {
  const script = fileURLToPath(new URL(command, import.meta.url))
  const env = { ...process.env, SITE_STAGE_URL: url, SITE_STAGE_ADMIN_PURGE_SECRET: SECRET }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}

test.each([
  [
    true,
    'The purge applies in every data centre within 5 s.\nPurged stage.localhost: 800 stored pages.\n',
  ],
  [
    false,
    'The purge applies in every data centre within 5 s.\nThe worker deletes the remaining stored pages in the next minutes.\nPurged stage.localhost: 800 stored pages.\n',
  ],
])(
  'a site is purged in one request, and the output shows whether stored pages remain (complete: %s)',
  async (complete, output) => {
    const { requests, url } = await startSite([
      { status: 200, body: { ...purged, deleted: 800, complete } },
    ])
    const { code, out } = await run('purge.ts', ['site-stage', '--site'], url)
    expect(code).toBe(0)
    expect(out).toBe(output)
    expect(requests).toEqual([
      {
        url: '/__cms/purge',
        authorization: `Bearer ${SECRET}`,
        host: new URL(url).host,
        body: { host: 'stage.localhost', site: true },
      },
    ])
  },
)

test('several URLs are purged in one request, and the output shows whether stored pages remain', async () => {
  const body = { ...purged, scope: 'urls', deleted: 1, complete: false }
  const { requests, url } = await startSite([{ status: 200, body }])
  const { code, out } = await run('purge.ts', ['site-stage', '--url', '/a', '--url', '/b'], url)
  expect(code).toBe(0)
  expect(out).toContain('The worker deletes the remaining stored pages in the next minutes.')
  expect(requests).toMatchObject([{ body: { host: 'stage.localhost', urls: ['/a', '/b'] } }])
})

test('a rejected purge prints the status, but not the secret, and exits with 1', async () => {
  const { url } = await startSite([{ status: 401, body: { title: 'no' } }])
  const { code, err } = await run('purge.ts', ['site-stage', '--site'], url)
  expect(code).toBe(1)
  expect(err).toContain('rejected the purge with 401')
  expect(err).not.toContain(SECRET)
})

test.each([[[]], [['site-stage']], [['site-stage', '--site', '--url', '/a']]])(
  '`purge` with the arguments %j is wrong usage',
  async (args) => {
    const { code, err } = await run('purge.ts', args, 'http://stage.localhost')
    expect(code).toBe(2)
    expect(err).toContain('`npm run purge -- --help` lists arguments and options.')
  },
)

const commands = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .concat(['costs', 'doctor', 'publish-theme', 'status'].map((folder) => `${folder}/index.ts`))
  .concat('github/declaration-comment.ts', 'github/drift-issue.ts')

describe.each(commands)('%s', (file) => {
  test('prints its usage, options and exit codes', async () => {
    const { code, out, err } = await run(file, ['--help'], 'http://stage.localhost')
    expect(code, err).toBe(0)
    expect(out).toMatch(/^Usage: (npm run|node) .*\n\n.+\n\nOptions:\n.*--help.*\n\nExit codes:\n/s)
  })

  test('rejects an unknown option with one sentence and exit code 2', async () => {
    const { code, out, err } = await run(file, ['--unknown'], 'http://stage.localhost')
    expect(code, err).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(/^Unknown option '--unknown': .*--help.*\.\n$/)
  })
})

test('a preview link is valid for its page and version until it expires', async () => {
  const args = ['site-stage', '/a-slug/', '--version', '3', '--hours', '1']
  const { code, out } = await run('preview-link.ts', args, 'https://news.test')
  expect(code).toBe(0)
  const link = new URL(out.trim())
  expect(`${link.origin}${link.pathname}`).toBe('https://news.test/a-slug')
  expect(link.searchParams.get('_version')).toBe('3')
  const token = link.searchParams.get('_preview') ?? ''
  const page = { host: 'news.test', path: '/a-slug', version: '3' }
  expect(await verifyPreview(SECRET, page, token, Date.now())).toBe(true)
  expect(await verifyPreview(SECRET, page, token, Date.now() + 3_700_000)).toBe(false)
})

test('a preview link for more than 24 hours is rejected', async () => {
  const { code } = await run(
    'preview-link.ts',
    ['site-stage', '/', '--hours', '25'],
    'https://x.test',
  )
  expect(code).toBe(2)
})
