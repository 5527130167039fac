import { MEDIA_PREFIX } from '../../../contract/constants.ts'
import { MAX_URLS, PurgeRequest, type PurgeResponse } from '../../../contract/purge.ts'
import { toCanonicalPath, toRawPath } from '../../../http/path.ts'
import { toHost } from '../decide.ts'
import type { Config } from '../env.ts'
import { deleteHost, deleteKeys } from '../invalidation/delete-purged-entries.ts'
import type { InvalidationLog } from '../invalidation/log.ts'
import { insertPurge, WHOLE_HOST } from '../invalidation/queries.ts'
import { parseJson } from '../json.ts'
import { toPageKey, toPageUrl, toSettingsKey, toSettingsUrl } from '../keys.ts'
import type { Ports } from '../ports.ts'
import { readJsonText } from './body.ts'
import { checkAdminSecret } from './check-admin-secret.ts'
import { toProblem } from './problem.ts'

/** Seconds after which every isolate applies a purge: its copy of the invalidation log is at most this old. */
const CONVERGES_WITHIN_SECONDS = 5
const TOO_MANY_PURGES = 'The log has too many purged paths. Purge the site, or try again later.'
const NOT_WRITTEN =
  'Could not write the purge to the invalidation log. Some or all stored pages were deleted; repeat the purge.'

// An absolute URL. Excludes spellings that a URL parser would repair (`https:/host`), as the path may change.
const ABSOLUTE = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
}

/** Handles `POST /__cms/purge`: writes the log, then deletes from KV and, for URLs, this data centre's edge copies. */
export async function handlePurge(request: Request, deps: Deps): Promise<Response> {
  const { host } = deps.config
  if (request.method !== 'POST')
    return toProblem('method_not_allowed', 'Method not allowed. Use POST.', { allow: 'POST' })
  const rejection = await checkAdminSecret(request, deps.config)
  if (rejection) return rejection
  const text = await readJsonText(request)
  if (text instanceof Response) return text
  const body = parseJson(text, PurgeRequest)
  if (!body)
    return toInvalid(`Send host and exactly one of url, urls (1 to ${MAX_URLS}), site: true.`)
  if (toHost(body.host) !== host)
    return toInvalid(`Host "${body.host}" is not the host of this site. Use ${host}.`)
  if ('site' in body)
    return purge(deps, [WHOLE_HOST], 'site', (sequence) => deleteSite(deps, sequence))
  const paths = new Set<string>()
  for (const url of 'url' in body ? [body.url] : body.urls) {
    const path = toPath(url, host)
    if (path === undefined)
      return toInvalid(`"${url}" is neither a path nor an absolute URL of ${host}.`)
    if (`${path}/`.startsWith(MEDIA_PREFIX))
      return toInvalid(
        `"${path}" belongs to the media worker. Run: npm run purge -- media-<stage|prod> --url ${path}`,
      )
    paths.add(path)
  }
  return purge(deps, [...paths], 'urls', () => deletePaths(deps, [...paths]))
}

/** Writes the purge to the log, and deletes entries even if that fails. */
async function purge(
  { config, ports, log }: Deps,
  paths: readonly string[],
  scope: PurgeResponse['scope'],
  deleteEntries: (sequence: number) => Promise<Pick<PurgeResponse, 'deleted' | 'complete'>>,
): Promise<Response> {
  const written = await log.transact(insertPurge(paths)).catch((error: unknown) => {
    ports.logEvent('error', { event: 'purge', error: String(error) })
    return 'failed' as const
  })
  if (written === undefined)
    return toProblem('rate_limited', TOO_MANY_PURGES, { 'retry-after': '60' })
  // Without a sequence, every page in KV counts as older, so a purge of the site deletes each page that it finds.
  const result = await deleteEntries(written === 'failed' ? Number.MAX_SAFE_INTEGER : written)
  if (written === 'failed')
    return toProblem('service_unavailable', NOT_WRITTEN, { 'retry-after': '5' })
  const converges = { converges_within_seconds: CONVERGES_WITHIN_SECONDS }
  const body: PurgeResponse = { host: config.host, scope, ...result, ...converges }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

async function deletePaths({ config, ports }: Deps, paths: readonly string[]) {
  const keys = paths.flatMap((path) => toPageKey(config.host, path) ?? [])
  const urls = paths.map((path) => toPageUrl(config.host, path))
  const [count] = await Promise.all([deleteKeys(keys, ports), deleteEdgeCopies(urls, ports)])
  const complete = count === keys.length
  return { deleted: complete ? paths.length : count, complete }
}

async function deleteSite({ config, ports, log }: Deps, sequence: number) {
  await deleteEdgeCopies([toSettingsUrl(config.host)], ports)
  await deleteKeys([toSettingsKey(config.host)], ports)
  return deleteHost({ host: config.host, ports }, log, sequence)
}

// A failure does not matter, because the row in the log purges these copies, too.
const deleteEdgeCopies = (urls: readonly string[], { edge }: Ports) =>
  Promise.allSettled(urls.map((url) => edge.delete(url)))

function toPath(url: string, host: string): string | undefined {
  if (url.startsWith('/')) return toCanonicalPath(url.replace(/[?#].*$/s, ''))
  const absolute = ABSOLUTE.test(url) && URL.parse(url)
  if (!absolute || toHost(absolute.host) !== host) return undefined
  return toCanonicalPath(toRawPath(url))
}

const toInvalid = (detail: string): Response => toProblem('validation_error', detail)
