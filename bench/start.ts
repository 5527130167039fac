import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../local/emulators/postgres/postgres.ts'
import { root } from '../local/lib/paths.ts'
import { findFreePort } from '../local/lib/ports.ts'
import { median } from './lib/load.ts'
import { report } from './lib/report.ts'

const ROUNDS = 5
const SECOND = 1000

const folder = await mkdtemp(join(tmpdir(), 'cms-edge-bench-start-'))
// PostgreSQL's own user has to reach the data in it.
await chmod(folder, 0o755)
const port = await findFreePort()

try {
  await timeCloud()
  await timePostgres()
  const times = { cloud: [] as number[], postgres: [] as number[], workerd: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    times.cloud.push(await timeCloud())
    times.postgres.push(await timePostgres())
    times.workerd.push(await timeWorkerd())
  }
  const [cloud, postgres, workerd] = [times.cloud, times.postgres, times.workerd].map(median)
  const bare = Number(postgres) + Number(workerd)
  report([
    { name: 'start.warm', value: Number(cloud), unit: 'ms' },
    { name: 'start.bare.postgres', value: Number(postgres), unit: 'ms' },
    { name: 'start.bare.workerd', value: Number(workerd), unit: 'ms' },
    {
      name: 'start.ratio',
      value: Number(cloud) / bare,
      unit: 'x',
      goal: { op: '<=', value: 1.5 },
    },
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** From the command to the first page of a newsroom. */
async function timeCloud(): Promise<number> {
  const start = performance.now()
  const flags = ['--disable-warning=ExperimentalWarning', join(root, 'local/npm-start.js')]
  const args = ['--port', String(port), '--data', join(folder, 'cloud')]
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = untilReady(child.stdout)
  await Promise.race([untilPage(port, `stage.localhost:${port}`), ready])
  const took = performance.now() - start
  await ready
  child.kill('SIGINT')
  await once(child, 'exit')
  return took
}

/** From the command to the first answer of a query. */
async function timePostgres(): Promise<number> {
  const start = performance.now()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), password: 'bench' })
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  await client.connect()
  await client.query('SELECT 1')
  const took = performance.now() - start
  await client.end()
  await postgres.stop()
  return took
}

/** From the command to the first answer of a worker of one line. */
async function timeWorkerd(): Promise<number> {
  const free = await findFreePort()
  const config = join(folder, 'bare.capnp')
  await writeFile(config, toConfig(free))
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const start = performance.now()
  const child = spawn(require('workerd').default, ['serve', config], { stdio: 'ignore' })
  await untilPage(free, 'bare.localhost')
  const took = performance.now() - start
  child.kill('SIGKILL')
  await once(child, 'exit')
  return took
}

function toConfig(free: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${free}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "index.js", esModule = "export default { fetch: () => new Response('a page') }")],
  compatibilityDate = "2026-07-01",
);`
}

async function untilPage(at: number, host: string): Promise<void> {
  const deadline = performance.now() + 170 * SECOND
  while ((await fetchStatus(at, host)) !== 200) {
    if (performance.now() > deadline) throw new Error(`no page of ${host}`)
    await sleep(2)
  }
}

async function untilReady(output: Readable): Promise<void> {
  for await (const line of createInterface(output)) {
    if (line.includes('Ready in')) return
  }
  throw new Error('the start ended before it was ready')
}

function fetchStatus(at: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port: at, headers: { host } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}
