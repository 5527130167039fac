import { createHash } from 'node:crypto'
import { access, chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../../contract/constants.ts'
import { root } from '../../lib/paths.ts'
import { type CloudflareAccount, type Script, toHosting } from '../cloudflare/account.ts'
import type { Binding } from '../cloudflare/bindings.ts'
import {
  type EdgeFault,
  type FailingService,
  findFailingService,
  toFailingScript,
  toOutbound,
} from './failing-services.ts'
import { makeReplaceable, REPLACEABLE_MODULE } from './make-replaceable.ts'

const ROUTER_MODULES = ['local/emulators/edge/router.ts', 'infra/routing.ts']

export interface EdgePlan {
  cloudflare: CloudflareAccount
  port: number
  /** Folder of workerd's configuration, KV, D1 and the edge cache. */
  folder: string
  /** HTML for a host without a route. */
  notFoundPage: string
  /** Secret of internal requests to the router: crons, purges, inspection and new code. */
  edgeToken: string
  /** Port of the panel on loopback; absent when there is no panel. */
  panelPort?: number
  faults?: readonly EdgeFault[]
  /** True: the code of the scripts can be replaced while they run. */
  replaceable?: boolean
}

/**
 * Returns the file with workerd's configuration for an account: a router, the scripts, and one cache that
 * they share. Miniflare generates it; the file is reused while its inputs are unchanged.
 */
export async function compileConfig(plan: EdgePlan): Promise<string> {
  const file = join(plan.folder, `workerd-${await hashPlan(plan)}.bin`)
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (!exists) await compile(plan, file)
  return file
}

async function hashPlan({ cloudflare, ...plan }: EdgePlan): Promise<string> {
  const files = [
    ...ROUTER_MODULES,
    'local/emulators/edge/compile.ts',
    'local/emulators/edge/failing-services.ts',
    'local/emulators/edge/make-replaceable.ts',
    REPLACEABLE_MODULE,
    'node_modules/miniflare/package.json',
  ]
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))))
  const account = Object.values(cloudflare).map((entries) => [...entries])
  const digest = createHash('sha256').update(JSON.stringify([plan, account]))
  for (const content of contents) digest.update(content)
  return digest.digest('hex')
}

async function compile(plan: EdgePlan, file: string): Promise<void> {
  const { Miniflare, NoOpLog } = await import('miniflare')
  await mkdir(plan.folder, { recursive: true, mode: 0o700 })
  await chmod(plan.folder, 0o700)
  const partFile = `${file}.part`
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(
    new URL('save-configuration.sh', import.meta.url),
  )
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new NoOpLog(),
    structuredWorkerdLogs: true,
    defaultPersistRoot: plan.folder,
    unsafeRuntimeEnv: { CONFIG: partFile },
    workers: [await toRouter(plan), ...(await toWorkers(plan))],
  })
  // save-configuration.sh runs instead of workerd, saves the configuration and exits. Miniflare rejects,
  // because no server started.
  await miniflare.ready.catch(() => {})
  await miniflare.dispose().catch(() => {})
  await deleteOldConfigs(plan.folder)
  await rename(partFile, file)
}

async function deleteOldConfigs(folder: string): Promise<void> {
  const configs = (await readdir(folder)).filter((name) => /^workerd-.*\.bin$/.test(name))
  await Promise.all(configs.map((name) => rm(join(folder, name))))
}

async function toRouter({
  cloudflare,
  port,
  notFoundPage,
  edgeToken,
  panelPort,
}: EdgePlan): Promise<WorkerOptions> {
  const modules = ROUTER_MODULES.map(async (path) => ({
    type: 'ESModule' as const,
    path: join('/', path),
    contents: stripTypeScriptTypes(await readFile(join(root, path), 'utf8')),
  }))
  return {
    name: 'local:router',
    modulesRoot: '/',
    modules: await Promise.all(modules),
    compatibilityDate: COMPATIBILITY_DATE,
    // Without this flag a service binding cannot trigger a cron.
    compatibilityFlags: ['service_binding_extra_handlers'],
    bindings: {
      HOSTING: { ...toHosting(cloudflare) },
      NOT_FOUND_PAGE: notFoundPage,
      EDGE_TOKEN: edgeToken,
    },
    serviceBindings: {
      ...Object.fromEntries([...cloudflare.scripts.keys()].map((name) => [`script:${name}`, name])),
      ...(panelPort && { PANEL: { external: { address: `127.0.0.1:${panelPort}`, http: {} } } }),
    },
    kvNamespaces: Object.fromEntries(
      [...cloudflare.namespaces.keys()].map((id) => [`kv:${id}`, id]),
    ),
    d1Databases: Object.fromEntries([...cloudflare.databases.keys()].map((id) => [`d1:${id}`, id])),
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }
}

async function toWorkers(plan: EdgePlan): Promise<WorkerOptions[]> {
  const { cloudflare, faults = [], replaceable, edgeToken } = plan
  const failingServices = new Set<FailingService>()
  const workers = [...cloudflare.scripts].map(([name, script]) => {
    const replacements: Record<string, FailingService> = {}
    for (const binding of script.bindings) {
      const failing = findFailingService(binding, cloudflare.databases, faults)
      if (failing) replacements[binding.name] = failing
    }
    const outbound = toOutbound(script, faults)
    for (const failing of [...Object.values(replacements), ...Object.values(outbound)])
      failingServices.add(failing)
    const working = script.bindings.filter((binding) => !replacements[binding.name])
    return {
      ...toWorker(name, { ...script, bindings: working }),
      wrappedBindings: replacements,
      ...outbound,
    }
  })
  const running = replaceable ? await makeReplaceable(workers, edgeToken) : workers
  return [...running, ...[...failingServices].map(toFailingScript)]
}

function toWorker(name: string, script: Script) {
  return {
    name,
    modules: [{ type: 'ESModule' as const, path: script.mainModule, contents: script.content }],
    compatibilityDate: script.compatibilityDate,
    compatibilityFlags: script.compatibilityFlags,
    ...toBindings(script.bindings),
  }
}

function toBindings(bindings: readonly Binding[]) {
  const ofType = <T extends Binding['type']>(type: T) =>
    bindings.filter((binding): binding is Extract<Binding, { type: T }> => binding.type === type)
  const texts = [...ofType('plain_text'), ...ofType('secret_text')].map(({ name, text }) => [
    name,
    text,
  ])
  const values = ofType('json').map(({ name, json }) => [name, JSON.parse(json)])
  const namespaces = ofType('kv_namespace').map(({ name, namespaceId }) => [name, namespaceId])
  const databases = ofType('d1').map(({ name, databaseId }) => [name, databaseId])
  const services = ofType('service').map(({ name, service }) => [name, service])
  const limits = ofType('ratelimit').map(({ name, namespaceId, simple }) => [
    name,
    { namespace_id: namespaceId, simple },
  ])
  return {
    bindings: Object.fromEntries([...texts, ...values]),
    kvNamespaces: Object.fromEntries(namespaces),
    d1Databases: Object.fromEntries(databases),
    serviceBindings: Object.fromEntries(services),
    ratelimits: Object.fromEntries(limits),
  }
}
