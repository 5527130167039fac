import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { MEDIA_PREFIX } from '../../contract/constants.ts'
import { toCacheTag } from '../../http/cache-tag.ts'
import { parseLiteralSegments, toPath } from '../../http/path.ts'
import { type CloudflareApi, openCloudflare } from './cloudflare.ts'
import { LOCAL_FILE } from './environment.ts'

/** Scope of a media purge: everything, or objects by path or by URL. */
export type MediaPurge = { all: true } | { urls: readonly string[] }
/** A media worker and its zone. */
export interface MediaTarget {
  scriptName: string
  zoneId: string
}
interface PurgeDelays {
  /** Time until the second purge. A cache fill that began before the first one can last 50 seconds. */
  repeatMs: number
  /** Time until the retry after a 429 without Retry-After. */
  retryMs: number
}

// https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits
const MAX_TAGS_PER_REQUEST = 100
const ATTEMPTS_PER_REQUEST = 10

const Envelope = z.object({
  success: z.boolean(),
  errors: z._default(z.array(z.object({ code: z.number(), message: z.string() })), []),
})
const Routes = z.object({
  result: z.array(z.object({ pattern: z.string(), script: z.optional(z.nullable(z.string())) })),
})

/** Creates a client for Cloudflare's API with the operator's token, or else for the API of the local cloud. */
export async function openOperatorApi(
  env: NodeJS.ProcessEnv = process.env,
): Promise<CloudflareApi> {
  if (env.CLOUDFLARE_API_TOKEN) return openCloudflare(env)
  const local = parseEnv(await readFile(LOCAL_FILE, 'utf8').catch(() => ''))
  if (local.CLOUDFLARE_API_TOKEN) return openCloudflare(local)
  throw new Error(
    'Set CLOUDFLARE_API_TOKEN to a token with Cache Purge and Workers Routes Read, or start the local cloud.',
  )
}

/**
 * Purges objects, their slices and cached 404s from the edge cache of every data centre, and
 * again after a minute. Returns the number of purged tags.
 */
export async function purgeMedia(
  api: CloudflareApi,
  target: MediaTarget,
  purge: MediaPurge,
  report: (line: string) => void,
  delays: PurgeDelays = { repeatMs: 60_000, retryMs: 15_000 },
): Promise<number> {
  const tags = 'all' in purge ? [target.scriptName] : await toTags(api, target, purge.urls)
  await purgeTags(api, target, tags, report, delays)
  report(`Purged in every data centre. Purging again in ${delays.repeatMs / 1000} s …`)
  await sleep(delays.repeatMs)
  await purgeTags(api, target, tags, report, delays)
  return tags.length
}

async function toTags(
  api: CloudflareApi,
  target: MediaTarget,
  urls: readonly string[],
): Promise<string[]> {
  const hosts = await readHosts(api, target)
  const tags = urls.flatMap((url) => {
    // A path without a host is purged on every host.
    const [, host, path = url] = /^https?:\/\/([^/]+)(\/.*)$/.exec(url) ?? []
    const canonicalPath = toCanonicalMediaPath(path)
    const hostname = host?.toLowerCase().replace(/:\d+$/, '')
    if (hostname !== undefined && !hosts.includes(hostname)) {
      throw new Error(`${target.scriptName} does not serve ${hostname}, only ${hosts.join(', ')}.`)
    }
    const purgedHosts = hostname === undefined ? hosts : [hostname]
    return purgedHosts.map((each) => toCacheTag(each, canonicalPath))
  })
  return [...new Set(await Promise.all(tags))]
}

function toCanonicalMediaPath(path: string): string {
  const segments = parseLiteralSegments(path.replace(/[?#].*$/s, ''))
  const canonicalPath = segments && toPath(segments)
  if (canonicalPath?.startsWith(MEDIA_PREFIX)) return canonicalPath
  throw new Error(`${path} is not the path of an object, such as ${MEDIA_PREFIX}photos/a.jpg.`)
}

// The routes determine the hosts of a worker, on Cloudflare and in the local cloud.
async function readHosts(
  api: CloudflareApi,
  { scriptName, zoneId }: MediaTarget,
): Promise<string[]> {
  const response = await api(`/zones/${zoneId}/workers/routes`)
  if (!response.ok)
    throw new Error(`Cannot read the zone's routes: ${await describeResponse(response)}`)
  const { result } = Routes.parse(await response.json())
  const hosts = result
    .filter(({ script }) => script === scriptName)
    .map(({ pattern }) => pattern.slice(0, pattern.indexOf('/')))
  if (hosts.length > 0) return hosts
  throw new Error(`No route of zone ${zoneId} leads to ${scriptName}. Deploy it first.`)
}

async function purgeTags(
  api: CloudflareApi,
  { zoneId }: MediaTarget,
  tags: readonly string[],
  report: (line: string) => void,
  { retryMs }: PurgeDelays,
): Promise<void> {
  for (let start = 0; start < tags.length; start += MAX_TAGS_PER_REQUEST) {
    const body = JSON.stringify({ tags: tags.slice(start, start + MAX_TAGS_PER_REQUEST) })
    for (let attempt = 1; ; attempt++) {
      const headers = { 'content-type': 'application/json' }
      const response = await api(`/zones/${zoneId}/purge_cache`, { method: 'POST', headers, body })
      if (response.ok) break
      if (response.status !== 429 || attempt === ATTEMPTS_PER_REQUEST) {
        throw new Error(`Cloudflare rejected the purge: ${await describeResponse(response)}`)
      }
      const retryAfter = Number(response.headers.get('retry-after'))
      const ms = retryAfter > 0 ? retryAfter * 1000 : retryMs
      report(`Cloudflare limits purges. Continuing in ${Math.ceil(ms / 1000)} s …`)
      await sleep(ms)
    }
  }
}

async function describeResponse(response: Response): Promise<string> {
  const { data } = Envelope.safeParse(await response.json().catch(() => undefined))
  const messages = data?.errors.map(({ code, message }) => `${message} (${code})`).join('; ')
  return `${response.status} ${messages ?? 'without a reason'}`
}
