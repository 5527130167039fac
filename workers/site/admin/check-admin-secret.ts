import { isSameSecret, parseBearer } from '../../../http/bearer.ts'
import type { Config } from '../env.ts'
import { toProblem } from './problem.ts'

/** Returns undefined when the bearer token is the admin secret; else a 401, or a 503 if none is configured. */
export async function checkAdminSecret(
  request: Request,
  { adminSecret }: Config,
): Promise<Response | undefined> {
  if (!adminSecret)
    return toProblem('service_unavailable', 'Set ADMIN_PURGE_SECRET and deploy again.', {
      'retry-after': '60',
    })
  const token = parseBearer(request.headers.get('authorization'))
  return (await isSameSecret(token ?? '', adminSecret)) ? undefined : toUnauthorized()
}

export function toUnauthorized(): Response {
  const detail = 'Send Authorization: Bearer <ADMIN_PURGE_SECRET>.'
  return toProblem('unauthorized', detail, { 'www-authenticate': 'Bearer' })
}
