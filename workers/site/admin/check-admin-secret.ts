import { isSameSecret, parseBearer } from '../../../http/bearer.ts'
import { toProblemResponse } from '../../../http/problem.ts'
import type { Config } from '../env.ts'

/** Undefined: the bearer is the admin secret. Otherwise the refusal: without a secret the door stays shut. */
export async function refuse(request: Request, config: Config): Promise<Response | undefined> {
  if (!config.adminSecret) return toClosed()
  const given = parseBearer(request.headers.get('authorization'))
  return (await isSameSecret(given ?? '', config.adminSecret)) ? undefined : toUnauthorized()
}

export function toUnauthorized(): Response {
  const problem = { status: 401, title: 'The admin secret is required', code: 'unauthorized' }
  return toProblemResponse(problem, { 'www-authenticate': 'Bearer' })
}

function toClosed(): Response {
  const title = 'No admin secret is configured'
  const problem = { status: 503, title, code: 'service_unavailable' }
  return toProblemResponse(problem, { 'retry-after': '60' })
}
