import { isSameSecret, parseBearer } from '../../../http/bearer.ts'
import type { Config } from '../env.ts'
import { toProblem } from './problem.ts'

/** Returns undefined when the bearer is the admin secret, else the error response; without a configured secret always an error. */
export async function checkAdminSecret(
  request: Request,
  { adminSecret }: Config,
): Promise<Response | undefined> {
  if (!adminSecret)
    return toProblem('service_unavailable', 'Set ADMIN_PURGE_SECRET and deploy again.', {
      'retry-after': '60',
    })
  const given = parseBearer(request.headers.get('authorization'))
  return (await isSameSecret(given ?? '', adminSecret)) ? undefined : toUnauthorized()
}

export function toUnauthorized(): Response {
  const detail = 'Send Authorization: Bearer <ADMIN_PURGE_SECRET>.'
  return toProblem('unauthorized', detail, { 'www-authenticate': 'Bearer' })
}
