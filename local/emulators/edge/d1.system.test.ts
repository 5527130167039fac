import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../lib/ports.ts'
import { createAccount, putDatabase, putRoute, putScript } from '../cloudflare/account.ts'
import { startEdge } from './edge.ts'

const WORKER = `
  export default {
    async fetch(request, { LOG }) {
      try {
        const [, , { results }] = await LOG.batch([
          LOG.prepare('CREATE TABLE IF NOT EXISTS log (sequence INTEGER PRIMARY KEY)'),
          LOG.prepare('INSERT INTO log DEFAULT VALUES'),
          LOG.prepare('SELECT count(*) AS rows FROM log'),
        ])
        return Response.json(results[0])
      } catch (error) {
        return new Response(error.message, { status: 503 })
      }
    },
  }
`
const cloudflare = createAccount()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-d1-'))
  putDatabase(cloudflare, 'database', { name: 'log', readReplication: 'disabled' })
  putScript(cloudflare, 'site', {
    mainModule: 'index.js',
    content: WORKER,
    bindings: [{ type: 'd1', name: 'LOG', databaseId: 'database' }],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [],
    settings: {},
  })
  putRoute(cloudflare, 'route', { zoneId: 'zone', pattern: '127.0.0.1/*', script: 'site' })
})
afterAll(() => rm(folder, { recursive: true }))

/** Starts the edge, requests one page and stops the edge. */
async function fetchOnce(): Promise<{ status: number; body: string }> {
  const port = await findFreePort()
  const logFile = join(folder, 'edge.log')
  const plan = { cloudflare, port, folder, logFile, notFoundPage: '', edgeToken: 'token' }
  const edge = await startEdge(plan)
  const response = await fetch(`http://127.0.0.1:${port}/`)
  const body = await response.text()
  await edge.stop()
  return { status: response.status, body }
}

test('a database keeps its rows from one start to the next', async () => {
  expect(await fetchOnce()).toEqual({ status: 200, body: '{"rows":1}' })
  expect(await fetchOnce()).toEqual({ status: 200, body: '{"rows":2}' })
})

test('a script whose database was deleted keeps its binding, and its queries fail', async () => {
  cloudflare.databases.delete('database')
  expect(await fetchOnce()).toMatchObject({
    status: 503,
    body: expect.stringContaining('D1_ERROR'),
  })
})
