import * as z from 'zod/mini'
import type { LiveScript, LiveState } from '../../infra/drift.ts'
import {
  type Declaration,
  flatten,
  hashFields,
  type ManifestEntry,
  toCanonicalJson,
} from '../../infra/manifest.ts'
import type { CloudflareApi } from './cloudflare.ts'

const Route = z.object({ pattern: z.string(), script: z.optional(z.nullable(z.string())) })
const Domain = z.object({ hostname: z.string(), service: z.string() })
const Settings = z.looseObject({
  bindings: z.array(z.looseObject({ name: z.string(), type: z.string() })),
})
const Database = z.object({
  read_replication: z._default(z.object({ mode: z.string() }), { mode: 'disabled' }),
})
const Schedules = z.object({ schedules: z.array(z.object({ cron: z.string() })) })
const Subdomain = z.object({
  enabled: z.boolean(),
  previews_enabled: z._default(z.boolean(), false),
})

/** Reads the live state of the resources that a stack declares. */
export async function readLive(read: CloudflareApi, declaration: Declaration): Promise<LiveState> {
  const { accountId, zoneId, scriptName, invalidationsDatabaseId: id } = declaration
  const [script, database, hosting] = await Promise.all([
    readScript(read, `/accounts/${accountId}/workers/scripts/${scriptName}`),
    id ? readDatabase(read, `/accounts/${accountId}/d1/database/${id}`) : undefined,
    readHosting(read, accountId, zoneId),
  ])
  return { script, database, ...hosting }
}

async function readHosting(
  read: CloudflareApi,
  accountId: string,
  zoneId: string,
): Promise<Pick<LiveState, 'routes' | 'domains'>> {
  const [routes, domains] = await Promise.all([
    readAll(read, `/zones/${zoneId}/workers/routes`, Route),
    readAll(read, `/accounts/${accountId}/workers/domains`, Domain),
  ])
  const toRoute = ({ pattern, script }: z.infer<typeof Route>) => ({
    pattern,
    script: script || undefined,
  })
  return { routes: routes.map(toRoute), domains }
}

async function readScript(read: CloudflareApi, path: string): Promise<LiveScript | undefined> {
  const response = await read(`${path}/settings`)
  if (response.status === 404) return undefined
  const { result } = await parse(response, `${path}/settings`, Settings)
  const { bindings, ...settings } = result
  const [content, { result: crons }, { result: subdomain }] = await Promise.all([
    readContentHash(read, `${path}/content/v2`),
    readOne(read, `${path}/schedules`, Schedules),
    readOne(read, `${path}/subdomain`, Subdomain),
  ])
  return {
    bindings: bindings.map(toEntry),
    contentSha256: content,
    settings: flatten(toCamelCase(settings)),
    crons: crons.schedules.map(({ cron }) => cron),
    workersDev: subdomain.enabled,
    previewUrls: subdomain.previews_enabled,
  }
}

async function readDatabase(read: CloudflareApi, path: string): Promise<LiveState['database']> {
  const response = await read(path)
  if (response.status === 404) return undefined
  const { result } = await parse(response, path, Database)
  return { readReplication: result.read_replication.mode }
}

/**
 * Converts a live binding to the form of the declaration, with a hash of every field that Cloudflare returns.
 */
function toEntry({ name, type, ...wire }: z.output<typeof Settings>['bindings'][number]) {
  if (type === 'secret_text') return { name, type }
  const { json, ...fields } = wire
  // Cloudflare returns the JSON of a binding as text or as a value.
  const canonical =
    typeof json === 'string' ? toCanonicalJson(JSON.parse(json)) : json && toCanonicalJson(json)
  // `id` is the older name of `database_id`.
  const database = type === 'd1' && { databaseId: wire.database_id ?? wire.id }
  const value = {
    ...toCamelCase(fields),
    ...(json !== undefined && { json: canonical }),
    ...database,
  }
  return { name, type, fields: hashFields(value) } satisfies ManifestEntry
}

/** Converts Cloudflare's field names to those of the Pulumi provider, at every depth. */
function toCamelCase(wire: object): object {
  const entries = Object.entries(wire).map(([key, value]: [string, unknown]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? toCamelCase(value)
      : value,
  ])
  return Object.fromEntries(entries)
}

/** Returns the SHA-256 of a script in hex. Cloudflare sends the script as a form with one part, or as text. */
async function readContentHash(read: CloudflareApi, path: string): Promise<string> {
  const response = await read(path)
  if (!response.ok) throw await toError(response, path)
  const isForm = response.headers.get('content-type')?.startsWith('multipart/')
  const [part] = isForm ? [...(await response.formData()).values()] : [await response.text()]
  const bytes = part instanceof Blob ? await part.bytes() : new TextEncoder().encode(part)
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

/** Reads all pages of a list. */
export async function readAll<S extends z.ZodMiniType>(
  read: CloudflareApi,
  path: string,
  schema: S,
  query: Readonly<Record<string, string>> = {},
): Promise<z.output<S>[]> {
  const items: z.output<S>[] = []
  for (let page = 1; ; page += 1) {
    const paged = `${path}?${new URLSearchParams({ ...query, page: `${page}`, per_page: '100' })}`
    const { result, result_info: info } = await readOne(read, paged, z.array(schema))
    items.push(...result)
    if (page >= (info?.total_pages ?? 1)) return items
  }
}

/**
 * Reads one result of Cloudflare's API.
 * @throws Error with the message of the API when the request fails
 */
export async function readOne<S extends z.ZodMiniType>(
  read: CloudflareApi,
  path: string,
  schema: S,
) {
  return parse(await read(path), path, schema)
}

async function parse<S extends z.ZodMiniType>(response: Response, path: string, schema: S) {
  if (!response.ok) throw await toError(response, path)
  const paging = z.nullish(z.object({ total_pages: z.optional(z.number()) }))
  const Envelope = z.object({ result: schema, result_info: paging })
  const { success, data, error } = Envelope.safeParse(await response.json())
  if (success) return data
  throw new Error(
    `Cloudflare's response to ${path} does not match its schema: ${error.issues[0]?.message}.`,
  )
}

async function toError(response: Response, path: string): Promise<Error> {
  const body = await response.text()
  const [, message = body.slice(0, 100)] = /"message":\s*"([^"]*)"/.exec(body) ?? []
  return new Error(`Cloudflare responded with ${response.status} to ${path}: ${message}`)
}
