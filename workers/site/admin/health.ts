import { within } from '../deadline.ts'
import type { Config } from '../env.ts'
import { type InvalidationLog, READ } from '../invalidation/log.ts'
import { toSettingsKey } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { checkAdminSecret } from './check-admin-secret.ts'
import { toProblem } from './problem.ts'

const DEADLINE_MS = 2000
/** Maximum age of the last read of the change log. The cron trigger reads it each minute; two may be missed. */
const FOLLOWED_WITHIN_MS = 180_000

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
  openClient: OpenClient
}

/**
 * Responds without I/O. With `?deep=1` and the bearer token, checks KV, D1, the API's settings, and whether
 * the change log is followed.
 */
export async function handleHealth(request: Request, deps: Deps, scope: Scope): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return toProblem('method_not_allowed', 'Method not allowed. Use GET or HEAD.', {
      allow: 'GET, HEAD',
    })
  const isDeep = new URL(request.url).searchParams.get('deep') === '1'
  const rejection = isDeep ? await checkAdminSecret(request, deps.config) : undefined
  if (rejection) return rejection
  const { failing, ...details } = isDeep ? await checkServices(deps, scope) : { failing: [] }
  const { worker, build } = deps.config
  const body = {
    status: failing.length > 0 ? 'failing' : 'ok',
    ...(failing.length > 0 && { failing }),
    ...details,
    worker,
    version: build,
    time: new Date(deps.ports.now()).toISOString(),
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  const text = request.method === 'HEAD' ? null : JSON.stringify(body)
  return new Response(text, { status: failing.length > 0 ? 503 : 200, headers })
}

async function checkServices({ config, ports, log, openClient }: Deps, scope: Scope) {
  // Without the breaker, so that each check calls the API.
  const client = openClient(scope, { deadlineMs: DEADLINE_MS, breaker: undefined })
  const read = log.transact(READ, { tries: 1 })
  const services = {
    kv: within(DEADLINE_MS, ports.kv.get(toSettingsKey(config.host)), ports.sleep),
    d1: within(DEADLINE_MS, read, ports.sleep),
    // A 404 is a failure, too: the API must have this site.
    api: client.settings(config.site).then(({ type }) => {
      if (type !== 'ok') throw new Error(`settings: ${type}`)
    }),
  }
  const results = await Promise.allSettled(Object.values(services))
  const failing = Object.keys(services).filter((_, index) => results[index]?.status === 'rejected')
  if (failing.includes('d1')) return { failing }
  const { asOf, followedAt, failure } = log.current
  const isFollowing = failure === null && asOf - (followedAt ?? 0) <= FOLLOWED_WITHIN_MS
  return {
    failing: isFollowing ? failing : [...failing, 'following'],
    followed_at: followedAt === null ? null : new Date(followedAt).toISOString(),
    ...(failure !== null && { failure }),
  }
}
