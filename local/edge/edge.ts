import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Cron } from 'croner'
import { Miniflare, type WorkerOptions } from 'miniflare'
import type { Binding } from '../cloudflare/bindings.ts'
import { type Cloudflare, parseCron, type Script, toHosting } from '../cloudflare/cloudflare.ts'

const ROUTER = 'local:router'
const COMPATIBILITY_DATE = '2026-07-01'

interface Options {
  cloudflare: Cloudflare
  port: number
  /** Where KV and the caches lie. */
  folder: string
  logFile: string
  /** HTML for a host that nothing declares. */
  nowhere: string
}

export interface Edge {
  stop(): Promise<void>
}

/**
 * Runs what an account holds in workerd, on loopback: a router in front, scripts behind it, one
 * cache for all, and cron triggers. No Node stands in a request's way.
 */
export async function startEdge(options: Options): Promise<Edge> {
  const { cloudflare, folder, logFile } = options
  await mkdir(folder, { recursive: true })
  const lifeline = await openLifeline(join(folder, 'lifeline'))
  const log = createWriteStream(logFile, { flags: 'a' })
  const router = await toRouter(options)
  const miniflare = keepingSignals(
    () =>
      new Miniflare({
        host: '127.0.0.1',
        port: 0,
        cf: false,
        logRequests: false,
        defaultPersistRoot: folder,
        unsafeRuntimeEnv: lifeline.environment,
        handleStructuredLogs: (line: { timestamp: number; level: string; message: string }) => {
          log.write(`${new Date(line.timestamp).toJSON()} ${line.level} ${line.message}\n`)
        },
        workers: [router, ...[...cloudflare.scripts].map(toWorker)],
      }),
  )
  await miniflare.ready
  const crons = [...cloudflare.crons].flatMap(([script, expressions]) =>
    expressions.map((cron) => schedule(miniflare, script, cron)),
  )
  return {
    async stop() {
      for (const cron of crons) cron.stop()
      await miniflare.dispose()
      await lifeline.release()
      log.end()
    },
  }
}

async function toRouter({ cloudflare, port, nowhere }: Options): Promise<WorkerOptions> {
  const modules = ['../cloudflare/routing.ts', './router.ts'].map(async (path) => ({
    type: 'ESModule' as const,
    path: join('/local/edge', path),
    contents: stripTypeScriptTypes(await readFile(new URL(path, import.meta.url), 'utf8')),
  }))
  return {
    name: ROUTER,
    modulesRoot: '/local',
    modules: (await Promise.all(modules)).toReversed(),
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { HOSTING: { ...toHosting(cloudflare) }, NOWHERE: nowhere },
    serviceBindings: Object.fromEntries(
      [...cloudflare.scripts.keys()].map((name) => [`script:${name}`, name]),
    ),
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }
}

function toWorker([name, script]: [string, Script]): WorkerOptions {
  return {
    name,
    modules: [{ type: 'ESModule', path: script.mainModule, contents: script.content }],
    compatibilityDate: script.compatibilityDate,
    compatibilityFlags: script.compatibilityFlags,
    ...toBindings(script.bindings),
  }
}

function toBindings(bindings: readonly Binding[]) {
  const of = <T extends Binding['type']>(type: T) =>
    bindings.filter((binding): binding is Extract<Binding, { type: T }> => binding.type === type)
  const texts = [...of('plain_text'), ...of('secret_text')].map(({ name, text }) => [name, text])
  const values = of('json').map(({ name, json }) => [name, JSON.parse(json)])
  const namespaces = of('kv_namespace').map(({ name, namespaceId }) => [name, namespaceId])
  const limits = of('ratelimit').map(({ name, namespaceId, simple }) => [
    name,
    { namespace_id: namespaceId, simple },
  ])
  return {
    bindings: Object.fromEntries([...texts, ...values]),
    kvNamespaces: Object.fromEntries(namespaces),
    ratelimits: Object.fromEntries(limits),
  }
}

function schedule(miniflare: Miniflare, script: string, expression: string): Cron {
  const cron = parseCron(expression)
  cron.schedule(async () => {
    const worker = await miniflare.getWorker(script)
    await worker.scheduled({ cron: expression, scheduledTime: new Date() })
  })
  cron.resume()
  return cron
}

// Miniflare ends the process on a signal at once: whoever started the edge stops it in order instead.
function keepingSignals<T>(create: () => T): T {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const created = create()
  signals.forEach((signal, index) => {
    const added = process.listeners(signal).filter((each) => !before[index]?.includes(each))
    for (const listener of added) process.removeListener(signal, listener)
  })
  return created
}

// Miniflare starts workerd itself and would leave it behind when this process is killed.
async function openLifeline(path: string) {
  await rm(path, { force: true })
  await promisify(execFile)('mkfifo', ['-m', '600', path])
  const handle = await open(path, 'r+')
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('workerd.sh', import.meta.url))
  return {
    environment: { LIFELINE: path, WORKERD: require('workerd').default },
    release: () => handle.close(),
  }
}
