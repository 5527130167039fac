import { type Hosting, parsePattern } from '../../../infra/routing.ts'
import type { Binding } from './bindings.ts'
import { isCron } from './cron.ts'

export interface Script {
  mainModule: string
  /** Source of the only ES module. */
  content: string
  bindings: Binding[]
  compatibilityDate: string
  compatibilityFlags: string[]
  /** Further settings of an upload (observability, limits …), as Cloudflare's API spells them. */
  settings: Record<string, unknown>
}

/** Setting of a script's workers.dev route; uploads do not change it. */
export interface WorkersDev {
  enabled: boolean
  previewsEnabled: boolean
}

/** A D1 database. */
export interface D1Database {
  name: string
  readReplication: 'auto' | 'disabled'
  /** RFC 3339; absent when a capture declares the database. */
  createdAt?: string
}

export interface ZoneRoute {
  zoneId: string
  pattern: string
  /** Absent: no script runs for URLs that match the pattern. */
  script?: string | undefined
}

/** A custom domain. */
export interface Domain {
  zoneId: string
  hostname: string
  /** Name of the script. */
  service: string
}

export interface DnsRecord {
  zoneId: string
  name: string
  type: string
  content: string
  proxied: boolean
  ttl: number
}

/**
 * Contents of an account, by id or by name, as in Cloudflare's API. The functions `put…` and `remove…` throw
 * a CloudflareError when Cloudflare would reject the change.
 */
export interface CloudflareAccount {
  namespaces: Map<string, { title: string }>
  databases: Map<string, D1Database>
  scripts: Map<string, Script>
  crons: Map<string, string[]>
  workersDev: Map<string, WorkersDev>
  routes: Map<string, ZoneRoute>
  domains: Map<string, Domain>
  records: Map<string, DnsRecord>
}

/** An error response of Cloudflare's API: HTTP status, and code and message of the response envelope. */
export class CloudflareError extends Error {
  override name = 'CloudflareError'
  status: number
  code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function createAccount(): CloudflareAccount {
  return {
    namespaces: new Map(),
    databases: new Map(),
    scripts: new Map(),
    crons: new Map(),
    workersDev: new Map(),
    routes: new Map(),
    domains: new Map(),
    records: new Map(),
  }
}

export function copyAccount(cloudflare: CloudflareAccount): CloudflareAccount {
  const copy = createAccount()
  replaceAccount(copy, cloudflare)
  return copy
}

/** Replaces an account's content by the content of `next`. */
export function replaceAccount(cloudflare: CloudflareAccount, next: CloudflareAccount): void {
  const current: Record<string, Map<string, unknown>> = { ...cloudflare }
  for (const [collection, entries] of Object.entries<Map<string, unknown>>({ ...next })) {
    current[collection]?.clear()
    for (const [id, entry] of entries) current[collection]?.set(id, entry)
  }
}

export function putNamespace(cloudflare: CloudflareAccount, id: string, title: string): void {
  if (listOthers(cloudflare.namespaces, id).some((namespace) => namespace.title === title)) {
    throw new CloudflareError(400, 10014, `a namespace with the title "${title}" already exists`)
  }
  cloudflare.namespaces.set(id, { title })
}

export function putDatabase(cloudflare: CloudflareAccount, id: string, database: D1Database): void {
  const { name } = database
  if (listOthers(cloudflare.databases, id).some((other) => other.name === name)) {
    throw new CloudflareError(400, 7502, `a database with the name "${name}" already exists`)
  }
  cloudflare.databases.set(id, database)
}

export function putScript(cloudflare: CloudflareAccount, name: string, script: Script): void {
  if (!/^[a-z0-9_][a-z0-9_-]{0,62}$/.test(name)) {
    throw new CloudflareError(400, 10016, `"${name}" is not a valid script name`)
  }
  const names = script.bindings.map((binding) => binding.name)
  const duplicate = names.find((each, index) => names.indexOf(each) !== index)
  if (duplicate !== undefined) {
    throw new CloudflareError(400, 10021, `the binding ${duplicate} is declared twice`)
  }
  const scriptExists = (service: string) => service === name || cloudflare.scripts.has(service)
  for (const binding of script.bindings) {
    if (binding.type === 'kv_namespace' && !cloudflare.namespaces.has(binding.namespaceId)) {
      throw new CloudflareError(400, 10041, `KV namespace "${binding.namespaceId}" is not valid`)
    }
    if (binding.type === 'd1' && !cloudflare.databases.has(binding.databaseId)) {
      throw new CloudflareError(
        400,
        10181,
        `D1 binding '${binding.name}' references database '${binding.databaseId}' which was not found.`,
      )
    }
    if (binding.type === 'service' && !scriptExists(binding.service)) {
      throw new CloudflareError(400, 10144, `the bound script "${binding.service}" does not exist`)
    }
  }
  if (!isDate(script.compatibilityDate)) {
    throw new CloudflareError(
      400,
      10021,
      `"${script.compatibilityDate}" is not a compatibility date`,
    )
  }
  cloudflare.scripts.set(name, script)
}

export function putCrons(cloudflare: CloudflareAccount, script: string, crons: string[]): void {
  requireScript(cloudflare, script)
  for (const cron of crons) {
    if (!isCron(cron)) throw new CloudflareError(400, 10100, `"${cron}" is not a cron expression`)
  }
  cloudflare.crons.set(script, crons)
}

export function putWorkersDev(
  cloudflare: CloudflareAccount,
  script: string,
  state: WorkersDev,
): void {
  requireScript(cloudflare, script)
  cloudflare.workersDev.set(script, state)
}

export function putRoute(cloudflare: CloudflareAccount, id: string, route: ZoneRoute): void {
  if (!parsePattern(route.pattern)) {
    throw new CloudflareError(400, 10022, `"${route.pattern}" is not a route pattern`)
  }
  const duplicate = listOthers(cloudflare.routes, id).find(
    ({ zoneId, pattern }) => zoneId === route.zoneId && pattern === route.pattern,
  )
  if (duplicate) throw new CloudflareError(409, 10020, `a route ${route.pattern} already exists`)
  if (route.script !== undefined) requireScript(cloudflare, route.script)
  cloudflare.routes.set(id, route)
}

export function putDomain(cloudflare: CloudflareAccount, id: string, domain: Domain): void {
  requireScript(cloudflare, domain.service)
  const { hostname } = domain
  const duplicate = listOthers(cloudflare.domains, id).find((other) => other.hostname === hostname)
  if (duplicate) {
    throw new CloudflareError(
      409,
      100116,
      `${hostname} is already the custom domain of ${duplicate.service}`,
    )
  }
  if ([...cloudflare.records.values()].some((record) => record.name === hostname)) {
    throw new CloudflareError(409, 100117, `${hostname} already has externally managed DNS records`)
  }
  cloudflare.domains.set(id, domain)
}

export function putRecord(cloudflare: CloudflareAccount, id: string, record: DnsRecord): void {
  const duplicate = listOthers(cloudflare.records, id).find(
    ({ name, type, content }) =>
      name === record.name && type === record.type && content === record.content,
  )
  if (duplicate)
    throw new CloudflareError(400, 81058, `an identical record of ${record.name} already exists`)
  if ([...cloudflare.domains.values()].some(({ hostname }) => hostname === record.name)) {
    throw new CloudflareError(
      400,
      81062,
      `the record of ${record.name} is managed by a custom domain`,
    )
  }
  cloudflare.records.set(id, record)
}

/** Deletes a script with its routes, domains and crons; with `force` also when other scripts call it. */
export function removeScript(
  cloudflare: CloudflareAccount,
  name: string,
  { force = false } = {},
): void {
  requireScript(cloudflare, name)
  const caller = findBinding(
    cloudflare,
    (binding, script) => binding.type === 'service' && binding.service === name && script !== name,
  )
  if (caller !== undefined && !force) {
    throw new CloudflareError(
      400,
      10142,
      `the script "${name}" is in use: "${caller}" is bound to it`,
    )
  }
  const { scripts, crons, workersDev } = cloudflare
  for (const entries of [scripts, crons, workersDev]) entries.delete(name)
  for (const [id, { script }] of cloudflare.routes)
    if (script === name) cloudflare.routes.delete(id)
  for (const [id, { service }] of cloudflare.domains) {
    if (service === name) cloudflare.domains.delete(id)
  }
}

export function removeNamespace(cloudflare: CloudflareAccount, id: string): void {
  const script = findBinding(
    cloudflare,
    (binding) => binding.type === 'kv_namespace' && binding.namespaceId === id,
  )
  if (script !== undefined) {
    throw new CloudflareError(400, 10052, `the namespace is in use: "${script}" is bound to it`)
  }
  cloudflare.namespaces.delete(id)
}

export function toHosting({ routes, domains }: CloudflareAccount): Hosting {
  return {
    routes: [...routes.values()].map(({ pattern, script }) => ({ pattern, script })),
    domains: Object.fromEntries(
      [...domains.values()].map(({ hostname, service }) => [hostname, service]),
    ),
  }
}

function findBinding(
  { scripts }: CloudflareAccount,
  matches: (binding: Binding, script: string) => boolean,
): string | undefined {
  const found = [...scripts].find(([name, { bindings }]) =>
    bindings.some((binding) => matches(binding, name)),
  )
  return found?.[0]
}

function requireScript({ scripts }: CloudflareAccount, name: string): void {
  if (!scripts.has(name)) throw new CloudflareError(404, 10007, `there is no script "${name}"`)
}

/** Returns all entries but the one with this id. */
function listOthers<T>(entries: Map<string, T>, id: string): T[] {
  return [...entries].filter(([other]) => other !== id).map(([, entry]) => entry)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
