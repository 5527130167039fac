import type { Ping } from '../contract/ping.ts'
import type { Query } from './database.ts'
import { unavailable } from './problem.ts'
import type { ApiContext } from './request.ts'

/** Liveness for the API's callers: no database, no caching. */
export function answerPing(context: ApiContext): Response {
  return answer(context, { status: 'ok', time: new Date().toISOString() } satisfies Ping)
}

/** Liveness for whoever runs the process. */
export const answerHealth = (context: ApiContext): Response => answer(context, { status: 'ok' })

const MIGRATIONS = `SELECT count(*) FILTER (WHERE finished_at IS NOT NULL)::integer AS applied,
  count(*) FILTER (WHERE finished_at IS NULL)::integer AS unfinished
FROM _prisma_migrations WHERE rolled_back_at IS NULL`

/** Whether requests can be served: the database answers, and no migration is half done. */
export function createReadiness(query: Query): (context: ApiContext) => Promise<Response> {
  return async (context) => {
    const [migrations] = await query<{ applied: number; unfinished: number }>({
      text: MIGRATIONS,
      values: [],
    })
    if (!migrations?.applied || migrations.unfinished > 0)
      throw unavailable('migrations are pending')
    return answer(context, { status: 'ready', migrations: migrations.applied })
  }
}

function answer(context: ApiContext, body: object): Response {
  return Response.json(body, {
    headers: { 'cache-control': 'no-store', 'x-request-id': context.get('requestId') },
  })
}
