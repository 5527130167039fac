import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import type { CloudflareAccount } from '../emulators/cloudflare/account.ts'
import * as account from '../emulators/cloudflare/account.ts'
import { Binding } from '../emulators/cloudflare/bindings.ts'
import type { Resource } from '../emulators/pulumi/captured-stack.ts'
import type { Properties } from '../emulators/pulumi/values.ts'

type DeclaredResource = Pick<Resource, 'id' | 'inputs'>

/** Creates, reads and deletes resources of a declared type in an account. */
export interface ResourceType {
  put(
    cloudflare: CloudflareAccount,
    declared: DeclaredResource,
    programDir: string,
  ): void | Promise<void>
  /** Returns those inputs that the account stores; undefined when the resource does not exist. */
  find(cloudflare: CloudflareAccount, declared: DeclaredResource): object | undefined
  remove(cloudflare: CloudflareAccount, declared: DeclaredResource): void
}

/** By type token; a type follows the types that it refers to. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  'cloudflare:index/workersKvNamespace:WorkersKvNamespace': {
    put: (cloudflare, { id, inputs }) =>
      account.putNamespace(cloudflare, id, z.parse(Namespace, inputs).title),
    find: ({ namespaces }, { id }) => namespaces.get(id),
    remove: (cloudflare, { id }) => account.removeNamespace(cloudflare, id),
  },
  'cloudflare:index/d1Database:D1Database': {
    put(cloudflare, { id, inputs }) {
      const { name, readReplication } = z.parse(Database, inputs)
      account.putDatabase(cloudflare, id, { name, readReplication: readReplication.mode })
    },
    find({ databases }, { id }) {
      const database = databases.get(id)
      return (
        database && { name: database.name, readReplication: { mode: database.readReplication } }
      )
    },
    remove: ({ databases }, { id }) => databases.delete(id),
  },
  'cloudflare:index/workersScript:WorkersScript': {
    put: putScript,
    // Only whether it exists: the account stores a script's content and settings in another form.
    find: ({ scripts }, { id }) => scripts.get(id) && {},
    remove: (cloudflare, { id }) => account.removeScript(cloudflare, id),
  },
  'cloudflare:index/workersScriptSubdomain:WorkersScriptSubdomain': {
    put(cloudflare, { inputs }) {
      const { scriptName, ...state } = z.parse(Subdomain, inputs)
      account.putWorkersDev(cloudflare, scriptName, state)
    },
    find: ({ workersDev }, { inputs }) => workersDev.get(String(inputs.scriptName)),
    remove: ({ workersDev }, { inputs }) => workersDev.delete(String(inputs.scriptName)),
  },
  'cloudflare:index/workersCronTrigger:WorkersCronTrigger': {
    put(cloudflare, { inputs }) {
      const { scriptName, schedules } = z.parse(CronTrigger, inputs)
      const crons = schedules.map(({ cron }) => cron)
      account.putCrons(cloudflare, scriptName, crons)
    },
    find({ crons }, { id }) {
      const schedules = crons.get(id)?.map((cron) => ({ cron }))
      return schedules && { schedules }
    },
    remove: ({ crons }, { id }) => crons.delete(id),
  },
  'cloudflare:index/workersRoute:WorkersRoute': {
    put: (cloudflare, { id, inputs }) => account.putRoute(cloudflare, id, z.parse(Route, inputs)),
    find: ({ routes }, { id }) => routes.get(id),
    remove: ({ routes }, { id }) => routes.delete(id),
  },
  'cloudflare:index/dnsRecord:DnsRecord': {
    put: (cloudflare, { id, inputs }) =>
      account.putRecord(cloudflare, id, z.parse(DnsRecord, inputs)),
    find: ({ records }, { id }) => records.get(id),
    remove: ({ records }, { id }) => records.delete(id),
  },
  'cloudflare:index/workersCustomDomain:WorkersCustomDomain': {
    put: (cloudflare, { id, inputs }) => account.putDomain(cloudflare, id, z.parse(Domain, inputs)),
    find: ({ domains }, { id }) => domains.get(id),
    remove: ({ domains }, { id }) => domains.delete(id),
  },
}

const Id = z.string()
const Namespace = z.object({ title: z.string() })
const Database = z.object({
  name: z.string(),
  readReplication: z._default(z.object({ mode: z.enum(['auto', 'disabled']) }), { mode: 'auto' }),
})
const Script = z.object({
  scriptName: z.string(),
  mainModule: z.string(),
  contentFile: z.string(),
  bindings: z._default(z.array(Binding), []),
  compatibilityDate: z.string(),
  compatibilityFlags: z._default(z.array(z.string()), []),
})
const Settings = z.partial(
  z.object({
    cacheOptions: z.unknown(),
    limits: z.unknown(),
    observability: z.unknown(),
    placement: z.unknown(),
  }),
)
const Subdomain = z.object({
  scriptName: z.string(),
  enabled: z.boolean(),
  previewsEnabled: z._default(z.boolean(), false),
})
const CronTrigger = z.object({
  scriptName: z.string(),
  schedules: z.array(z.object({ cron: z.string() })),
})
const Route = z.object({ zoneId: Id, pattern: z.string(), script: z.optional(z.string()) })
const Domain = z.object({ zoneId: Id, hostname: z.string(), service: z.string() })
const DnsRecord = z.object({
  zoneId: Id,
  name: z.string(),
  type: z.string(),
  content: z._default(z.string(), ''),
  proxied: z._default(z.boolean(), false),
  ttl: z._default(z.number(), 1),
})

async function putScript(
  cloudflare: CloudflareAccount,
  { inputs }: DeclaredResource,
  programDir: string,
): Promise<void> {
  const { scriptName, contentFile, ...script } = z.parse(Script, inputs)
  const content = await readFile(resolve(programDir, contentFile), 'utf8')
  const settings = toSnakeCase(z.parse(Settings, inputs))
  account.putScript(cloudflare, scriptName, { ...script, content, settings })
}

function toSnakeCase(properties: object): Properties {
  const entries = Object.entries(properties).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? toSnakeCase(value)
      : value,
  ])
  return Object.fromEntries(entries)
}
