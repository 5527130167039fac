import type { WorkerOptions } from 'miniflare'
import type { CloudflareAccount, Script } from '../cloudflare/account.ts'
import type { Binding } from '../cloudflare/bindings.ts'

/** Faults that the edge can simulate for every script. */
export type EdgeFault = 'api-down' | 'api-slow' | 'kv-failing' | 'd1-failing' | 'store-failing'

/** Source of each script that simulates a failing service. */
const SOURCES = {
  'local:deleted-database': toFailingDatabase('D1_ERROR: The database could not be found'),
  'local:failing-database': toFailingDatabase('D1_ERROR: Fault injected on the panel'),
  'local:failing-kv': `
    const fail = async () => { throw new Error('KV: fault injected on the panel') }
    export default () => ({ get: fail, getWithMetadata: fail, put: fail, delete: fail, list: fail })`,
  'local:api-down': `
    export default { fetch() { throw new Error('Read API: fault injected on the panel') } }`,
  'local:api-slow': `
    export default { async fetch(request) { await scheduler.wait(3000); return fetch(request) } }`,
  'local:store-failing': `
    export default { fetch: () => new Response(null, { status: 503 }) }`,
} as const

export type FailingService = keyof typeof SOURCES

/** Returns the script that simulates a failing service. */
export function toFailingScript(name: FailingService): WorkerOptions {
  return { name, modules: [{ type: 'ESModule', path: 'index.mjs', contents: SOURCES[name] }] }
}

/**
 * Returns the script that replaces the service of a binding, when that service fails or its database was
 * deleted; otherwise undefined.
 */
export function findFailingService(
  binding: Binding,
  databases: CloudflareAccount['databases'],
  faults: readonly EdgeFault[],
): FailingService | undefined {
  if (binding.type === 'kv_namespace' && faults.includes('kv-failing')) return 'local:failing-kv'
  if (binding.type !== 'd1') return undefined
  if (!databases.has(binding.databaseId)) return 'local:deleted-database'
  return faults.includes('d1-failing') ? 'local:failing-database' : undefined
}

/** Returns the option that sends outgoing requests of a script to a failing service; empty if none fails. */
export function toOutbound(
  { bindings }: Script,
  faults: readonly EdgeFault[],
): { outboundService?: FailingService } {
  const readsStore = bindings.some(({ name }) => name === 'STORE_BUCKET')
  if (readsStore)
    return faults.includes('store-failing') ? { outboundService: 'local:store-failing' } : {}
  if (faults.includes('api-down')) return { outboundService: 'local:api-down' }
  return faults.includes('api-slow') ? { outboundService: 'local:api-slow' } : {}
}

function toFailingDatabase(message: string): string {
  return `
    const fail = async () => { throw new Error('${message}') }
    const statement = { bind: () => statement, first: fail, all: fail, run: fail, raw: fail }
    const database = { prepare: () => statement, batch: fail, exec: fail, dump: fail }
    export default () => ({ ...database, withSession: () => database })`
}
