import type { CloudflareApi } from '../lib/cloudflare.ts'
import { type Finding, failed, ok, unchecked } from './findings.ts'
import type { Place, Target } from './target.ts'

/** Where an API token is made and edited. */
export const TOKENS = 'https://dash.cloudflare.com/profile/api-tokens'
/** An id that nothing has: Cloudflare's are random, and a script's name may not hold a dot. */
const NOTHING = '0'.repeat(32)
const NO_DATABASE = '00000000-0000-0000-0000-000000000000'

interface Permission {
  /** As Cloudflare's dashboard calls it. */
  name: string
  method: 'GET' | 'DELETE'
  path: string
}

/** The permissions that deploying the stack needs, as Cloudflare's dashboard calls them. */
export function listPermissions(target: Target): string[] {
  return toPermissions(target, { accountId: '', zoneId: '' }).map(({ name }) => name)
}

/**
 * Every permission that deploying the stack needs, each by one request that can change nothing: Cloudflare checks the
 * permission (403) before it looks for the thing to delete (400, 404), and the thing does not exist.
 */
export async function checkPermissions(
  api: CloudflareApi,
  target: Target,
  place: Place,
): Promise<Finding> {
  const needed = toPermissions(target, place)
  const statuses = await Promise.all(
    needed.map(async ({ method, path }) => (await api(path, { method })).status),
  )
  const missing = needed.filter((_, index) => isRefusal(statuses[index]))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    return failed('Permissions', `the token lacks ${names}`, `${TOKENS}    # edit the token`)
  }
  const broken = statuses.find((status) => status === 429 || status >= 500)
  if (broken) return unchecked('Permissions', `Cloudflare's API answers ${broken}`)
  return ok('Permissions', needed.map(({ name }) => name).join(', '))
}

function toPermissions(
  { environment, declaresDns }: Target,
  { accountId, zoneId }: Place,
): Permission[] {
  const account = `/accounts/${accountId}`
  const zone = `/zones/${zoneId}`
  const edit = (name: string, path: string): Permission => ({
    name: `${name} Edit`,
    method: 'DELETE',
    path,
  })
  const isSite = environment.worker === 'site'
  const editsDns = isSite && (declaresDns !== false || environment.ingress === 'custom-domain')
  return [
    edit('Workers Scripts', `${account}/workers/scripts/no.script`),
    ...(isSite
      ? [
          edit('Workers KV Storage', `${account}/storage/kv/namespaces/${NOTHING}`),
          edit('D1', `${account}/d1/database/${NO_DATABASE}`),
        ]
      : []),
    edit('Workers Routes', `${zone}/workers/routes/${NOTHING}`),
    editsDns
      ? edit('DNS', `${zone}/dns_records/${NOTHING}`)
      : { name: 'DNS Read', method: 'GET', path: `${zone}/dns_records` },
    { name: 'Zone Read', method: 'GET', path: zone },
    { name: 'Zone Settings Read', method: 'GET', path: `${zone}/settings/always_use_https` },
  ]
}

function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403
}
