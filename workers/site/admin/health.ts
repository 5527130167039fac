import { toProblemResponse } from '../../../http/problem.ts'
import { within } from '../cache/deadline.ts'
import { toSettingsKey } from '../cache/kv.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { Client } from '../read-api/client.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { refuse } from './check-admin-secret.ts'

const DEADLINE_MS = 2000

type Deps = { config: Config; ports: Ports; openClient: OpenClient }

/** Liveness, which touches nothing; with the bearer and `?deep=1` KV and the read API are asked too. */
export async function answerHealth(request: Request, deps: Deps, scope: Scope): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return toProblemResponse({ status: 405, title: 'Health is read' }, { allow: 'GET, HEAD' })
  const deep = new URL(request.url).searchParams.get('deep') === '1'
  const refusal = deep ? await refuse(request, deps.config) : undefined
  if (refusal) return refusal
  const failing = deep ? await findFailing(deps, scope) : []
  const { worker, build } = deps.config
  const time = new Date(deps.ports.now()).toISOString()
  const body = failing.length
    ? { status: 'failing', failing, worker, version: build, time }
    : { status: 'ok', worker, version: build, time }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  const text = request.method === 'HEAD' ? null : JSON.stringify(body)
  return new Response(text, { status: failing.length ? 503 : 200, headers })
}

async function findFailing({ config, ports, openClient }: Deps, scope: Scope): Promise<string[]> {
  // Past the breaker: the check is about the API as it is now.
  const client = openClient(scope, { deadlineMs: DEADLINE_MS, breaker: undefined })
  const checks = {
    kv: within(DEADLINE_MS, ports.kv.get(toSettingsKey(config.host)), ports.sleep),
    api: pingApi(client),
  }
  const results = await Promise.allSettled(Object.values(checks))
  return Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected')
}

// A definite answer is no proof of life: at a wrong base URL there is a 404.
async function pingApi(client: Client): Promise<void> {
  const { type } = await client.ping()
  if (type !== 'ok') throw new Error(`ping: ${type}`)
}
