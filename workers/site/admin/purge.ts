import { MEDIA_PREFIX } from '../../../contract/constants.ts'
import { MAX_URLS, PurgeRequest, type PurgeResponse } from '../../../contract/purge.ts'
import { toCanonicalPath, toRawPath } from '../../../http/path.ts'
import { toHost } from '../decide.ts'
import type { Config } from '../env.ts'
import { deleteHost, deleteKeys } from '../invalidation/delete-purged-entries.ts'
import type { InvalidationLog } from '../invalidation/log.ts'
import { HOST, insertPurge } from '../invalidation/queries.ts'
import { parseJson } from '../json.ts'
import { toPageKey, toPageUrl, toSettingsKey, toSettingsUrl } from '../keys.ts'
import type { Ports } from '../ports.ts'
import { readText } from './body.ts'
import { checkAdminSecret } from './check-admin-secret.ts'
import { toProblem } from './problem.ts'

const MAX_BODY_BYTES = 64 * 1024
/** Maximum age of an isolate's copy of the invalidation log. */
const CONVERGES_WITHIN_SECONDS = 5

// Rejects spellings that a URL parser would repair (`https:/host`, a backslash), as the repaired path may differ.
const ABSOLUTE = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
  deletion: Parameters<typeof deleteKeys>[1]
}

type Written = { sequence: number | undefined } | 'failed'

/** `POST /__cms/purge`: the invalidation log first, then KV and this data centre's edge copies. */
export async function answerPurge(request: Request, deps: Deps): Promise<Response> {
  const { host } = deps.config
  if (request.method !== 'POST')
    return toProblem('method_not_allowed', 'Method not allowed. Use POST.', { allow: 'POST' })
  const refusal = await checkAdminSecret(request, deps.config)
  if (refusal) return refusal
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return toProblem('unsupported_media_type', 'Send content-type: application/json.')
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === undefined) return toProblem('content_too_large', 'Send at most 64 KiB.')
  const body = parseJson(text, PurgeRequest)
  if (!body)
    return toInvalid(`Send host and exactly one of url, urls (1 to ${MAX_URLS}), site: true.`)
  if (toHost(body.host) !== host)
    return toInvalid(`Host "${body.host}" is not the host of this site. Use ${host}.`)
  if ('site' in body) return purgeSite(deps)
  return purgePaths('url' in body ? [body.url] : body.urls, deps)
}

async function purgePaths(urls: readonly string[], deps: Deps): Promise<Response> {
  const { host } = deps.config
  const paths = new Set<string>()
  for (const url of urls) {
    const path = toPath(url, host)
    if (path === undefined)
      return toInvalid(`"${url}" is neither a path nor an absolute URL of ${host}.`)
    if (`${path}/`.startsWith(MEDIA_PREFIX))
      return toInvalid(
        `"${path}" belongs to the media worker. Run: npm run purge -- media-<stage|prod> --url ${path}`,
      )
    paths.add(path)
  }
  const written = await write([...paths], deps)
  if (written !== 'failed' && written.sequence === undefined) return toFull()
  const keys = [...paths].flatMap((path) => toPageKey(host, path) ?? [])
  const [count] = await Promise.all([
    deleteKeys(keys, deps.deletion),
    ...[...paths].map((path) => deleteEdgeCopy(toPageUrl(host, path), deps)),
  ])
  if (written === 'failed') return toNotWritten()
  const isComplete = count === keys.length
  return toDone(host, 'urls', isComplete ? paths.size : count, isComplete)
}

async function purgeSite(deps: Deps): Promise<Response> {
  const { config, log, deletion } = deps
  const written = await write([HOST], deps)
  await deleteEdgeCopy(toSettingsUrl(config.host), deps)
  await deleteKeys([toSettingsKey(config.host)], deletion)
  // Without a row there is nothing to compare with: every page is deleted.
  const sequence = (written !== 'failed' && written.sequence) || Number.MAX_SAFE_INTEGER
  const { deleted, cursor } = await deleteHost(deletion, log, sequence)
  if (written === 'failed') return toNotWritten()
  return toDone(config.host, 'site', deleted, cursor === undefined)
}

async function write(paths: readonly string[], { log, ports }: Deps): Promise<Written> {
  try {
    return { sequence: await log.transact(insertPurge(paths)) }
  } catch (error) {
    ports.log('error', { event: 'purge', error: String(error) })
    return 'failed'
  }
}

// The row has purged this copy already; deleting it only frees space.
async function deleteEdgeCopy(url: string, { ports }: Deps): Promise<void> {
  await ports.edge.delete(url).catch(() => false)
}

function toPath(url: string, host: string): string | undefined {
  if (url.startsWith('/')) return toCanonicalPath(url.replace(/[?#].*$/s, ''))
  const absolute = ABSOLUTE.test(url) && URL.parse(url)
  if (!absolute || toHost(absolute.host) !== host) return undefined
  return toCanonicalPath(toRawPath(url))
}

function toDone(
  host: string,
  scope: PurgeResponse['scope'],
  deleted: number,
  complete: boolean,
): Response {
  const converges = { converges_within_seconds: CONVERGES_WITHIN_SECONDS }
  const body: PurgeResponse = { host, scope, deleted, complete, ...converges }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

const toInvalid = (detail: string): Response => toProblem('validation_error', detail)

const toFull = (): Response =>
  toProblem('rate_limited', 'Too many purged paths are live. Purge the site, or try later.', {
    'retry-after': '60',
  })

const toNotWritten = (): Response =>
  toProblem(
    'service_unavailable',
    'Could not write the purge to the invalidation log. Stored pages were deleted; repeat the purge.',
    { 'retry-after': '5' },
  )
