import type { Ping } from '../contract/ping.ts'
import { NEWEST_MIGRATION } from '../prisma/newest-migration.ts'
import type { Query } from './database.ts'
import type { ApiContext } from './middleware/request-log.ts'
import type { OmissionLog } from './omissions/omission-log.ts'
import { unavailable } from './problem.ts'

/** Responds to `/ping`, which needs an API key. A 200 shows that the process runs; the database is not checked. */
export function handlePing(context: ApiContext): Response {
  return toJsonResponse(context, { status: 'ok', time: new Date().toISOString() } satisfies Ping)
}

/** Responds to `/healthz`, which needs no API key. Like `/ping`, it does not check the database. */
export const handleHealth = (context: ApiContext): Response =>
  toJsonResponse(context, { status: 'ok' })

const MIGRATIONS = `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
FROM _prisma_migrations WHERE rolled_back_at IS NULL`

/**
 * Creates the handler of `/readyz`. The API is ready when the database responds, has the newest migration of this
 * release, and has no unfinished migration. `omissions` is the number of values that this process omitted from
 * responses because their rows do not match the contract.
 */
export function createReadinessHandler(
  query: Query,
  omissionLog: OmissionLog,
): (context: ApiContext) => Promise<Response> {
  return async (context) => {
    const migrations = await query<{ name: string; finished: boolean }>({
      text: MIGRATIONS,
      values: [],
    })
    const isCurrent = migrations.some(({ name }) => name === NEWEST_MIGRATION)
    if (!isCurrent || !migrations.every(({ finished }) => finished))
      throw unavailable({ cause: 'migrations are pending' })
    return toJsonResponse(context, {
      status: 'ready',
      migrations: migrations.length,
      omissions: omissionLog.count(),
    })
  }
}

function toJsonResponse(context: ApiContext, body: object): Response {
  return Response.json(body, {
    headers: { 'cache-control': 'no-store', 'x-request-id': context.get('requestId') },
  })
}
