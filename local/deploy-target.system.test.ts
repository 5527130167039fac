import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Client from 'cloudflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeployTarget, startDeployTarget } from './deploy-target.ts'
import { requestLocal } from './lib/local-request.ts'
import { createReport } from './lib/report.ts'

const inAccount = { account_id: 'account' }
const inZone = { zone_id: 'zone' }
let folder: string
let cleanup: AsyncDisposableStack
let cloud: DeployTarget
let client: Client

async function start() {
  cleanup = new AsyncDisposableStack()
  const options = {
    port: 0,
    data: folder,
    articles: undefined,
    stacks: [],
    empty: true,
    watch: false,
  }
  cloud = await startDeployTarget(options, createReport(process.stderr), cleanup)
  const { CLOUDFLARE_BASE_URL: baseURL, CLOUDFLARE_API_TOKEN: apiToken } = cloud.account.access
  client = new Client({ baseURL, apiToken })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-empty-'))
  await start()
})
afterAll(async () => {
  await cleanup.disposeAsync()
  for (const each of [folder, cloud.databaseDir ?? folder]) {
    await rm(each, { recursive: true, force: true })
  }
})

async function upload(content: string) {
  const body = new FormData()
  const metadata = { main_module: 'index.js', compatibility_date: '2026-07-01' }
  body.set('metadata', JSON.stringify(metadata))
  body.set('index.js', new File([content], 'index.js'))
  await client.put('/accounts/account/workers/scripts/hello', { body })
}

const respondWith = (text: string) => `export default { fetch: () => new Response('${text}') }`

async function fetchHello(): Promise<string> {
  const url = `http://hello.localhost:${cloud.context.addresses.edgePort}/`
  return requestLocal(url).then(
    ({ body }) => body.toString(),
    () => 'no response',
  )
}

describe('a start with --empty', () => {
  it('shows a page without environments', async () => {
    expect(await fetchHello()).toContain('Nothing is declared')
  })

  it("runs scripts that are uploaded through Cloudflare's API", async () => {
    await upload(respondWith('hello'))
    await client.workers.routes.create({ ...inZone, pattern: 'hello.localhost/*', script: 'hello' })
    await expect.poll(fetchHello, { timeout: 10_000 }).toBe('hello')
    await upload(respondWith('hello again'))
    await expect.poll(fetchHello, { timeout: 10_000 }).toBe('hello again')
  })

  it('still accepts uploads after a script that cannot run', async () => {
    await upload('not a module')
    await expect.poll(fetchHello, { timeout: 10_000 }).toBe('no response')
    await upload(respondWith('fixed'))
    await expect.poll(fetchHello, { timeout: 10_000 }).toBe('fixed')
  })

  it('keeps its state for the next start, readable by its owner only', async () => {
    await cleanup.disposeAsync()
    expect((await stat(join(folder, 'state.json'))).mode & 0o777).toBe(0o600)
    await start()
    expect(await fetchHello()).toBe('fixed')
    const { result } = await client.workers.scripts.list(inAccount)
    expect(result.map(({ id }) => id)).toEqual(['hello'])
  })

  it('stops a script that is deleted', async () => {
    await client.workers.scripts.delete('hello', inAccount)
    await expect.poll(fetchHello, { timeout: 10_000 }).toContain('Nothing is declared')
  })
})
