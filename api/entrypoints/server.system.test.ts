import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, openChromium } from '../../local/testing/chromium.ts'
import { createFixture, type Fixture, KEY, KEY_DIGESTS } from '../tests/fixture.ts'
import { fillNewsroom } from '../tests/newsroom.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
})
afterAll(() => fixture.close())

const HEADERS = { authorization: `Bearer ${KEY}` }

async function start(
  variables: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['api/entrypoints/server.ts'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: fixture.url,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (!child.stdout) throw new Error('no stdout')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit'),
  ])
  return { child, url: String(line).replace('listening on ', '') }
}

test('a response in progress is completed before the process ends', async () => {
  const { child, url } = await start({ CMS_API_KEY_DIGESTS: KEY_DIGESTS.join(',') })
  const writer = new pg.Client({ connectionString: fixture.url })
  await writer.connect()
  await writer.query('BEGIN; LOCK TABLE sites IN ACCESS EXCLUSIVE MODE')
  const response = fetch(`${url}/public/v2/sites/alpha/settings`, { headers: HEADERS })
  const countWaiting = async () =>
    (
      await fixture.sql(
        `SELECT FROM pg_stat_activity WHERE application_name = 'cms-api' AND wait_event_type = 'Lock'`,
      )
    ).length
  await expect.poll(countWaiting).toBe(1)
  child.kill('SIGTERM')
  await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'refused')).toBe('refused')
  await writer.query('COMMIT')
  await writer.end()
  expect((await response).status).toBe(200)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
})

test('the local server requires no key for documentation and readiness', async () => {
  const { child, url } = await start({ CMS_API_KEY_DIGESTS: KEY_DIGESTS.join(',') })
  for (const path of ['/docs', '/openapi.json', '/readyz', '/healthz'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(200)
  expect((await fetch(`${url}/public/v2/ping`)).status).toBe(401)
  child.kill()
  await once(child, 'exit')
})

test('the server does not start without a key', async () => {
  const { child } = await start({ CMS_API_KEY_DIGESTS: '' })
  expect(child.exitCode).toBe(1)
})

test('requests fail when the time zone of the database session is not UTC', async () => {
  const inBerlin = Object.assign(new URL(fixture.url), {
    search: '?options=-c%20TimeZone%3DEurope/Berlin',
  })
  const { child, url } = await start({
    CMS_API_KEY_DIGESTS: KEY_DIGESTS.join(','),
    DATABASE_URL: inBerlin.href,
  })
  const response = await fetch(`${url}/public/v2/sites/alpha/settings`, { headers: HEADERS })
  expect(response.status).toBeGreaterThanOrEqual(500)
  child.kill()
  await once(child, 'exit')
})

test.skipIf(!findChromium())(
  'the reference page loads nothing from other origins, and sends requests with the API key',
  async () => {
    const { child, url } = await start({
      CMS_API_KEY_DIGESTS: KEY_DIGESTS.join(','),
      DOCS_API_KEY: KEY,
    })
    const browser = await openChromium()
    try {
      const page = await browser.newPage()
      const [requested, errors]: [string[], string[]] = [[], []]
      page.on('request', (request) => requested.push(request.url()))
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      await page.goto(`${url}/docs`)
      await page.locator('#operations-v2-ping').click()
      await page.getByRole('button', { name: 'Execute' }).click()
      await page.locator('.live-responses-table').getByText('200').first().waitFor()
      expect(
        requested.filter((each) => !each.startsWith(url) && !each.startsWith('data:')),
      ).toEqual([])
      expect(errors).toEqual([])
    } finally {
      await browser.close()
      child.kill('SIGTERM')
    }
  },
)
