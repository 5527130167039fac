import type { CloudflareApi } from '../lib/cloudflare.ts'
import { type Finding, failed, ok, unchecked } from './findings.ts'
import type { CloudflareIds, StackTarget } from './target.ts'

/** Page on which API tokens are created and edited. */
export const TOKENS_PAGE = 'https://dash.cloudflare.com/profile/api-tokens'
/** IDs of resources that do not exist. */
const NO_RESOURCE = '0'.repeat(32)
const NO_DATABASE = '00000000-0000-0000-0000-000000000000'

interface Permission {
  /** Name in Cloudflare's dashboard. */
  name: string
  method: 'GET' | 'DELETE'
  path: string
}

/** Returns the permissions that deploying the stack needs, by their names in Cloudflare's dashboard. */
export function listPermissions(target: StackTarget): string[] {
  return toPermissions(target, { accountId: '', zoneId: '' }).map(({ name }) => name)
}

/**
 * Checks every permission that deploying the stack needs, and changes nothing. A permission to read is
 * checked by GET. A permission to edit is checked by DELETE of a resource that does not exist: without the
 * permission, Cloudflare responds with 403 before it looks for the resource (400, 404).
 */
export async function checkPermissions(
  api: CloudflareApi,
  target: StackTarget,
  ids: CloudflareIds,
): Promise<Finding> {
  const needed = toPermissions(target, ids)
  const statuses = await Promise.all(
    needed.map(async ({ method, path }) => (await api(path, { method })).status),
  )
  const missing = needed.filter((_, index) => isDenied(statuses[index]))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    return failed('Permissions', `the token lacks ${names}`, `${TOKENS_PAGE}    # edit the token`)
  }
  const broken = statuses.find((status) => status === 429 || status >= 500)
  if (broken) return unchecked('Permissions', `Cloudflare's API responds with ${broken}`)
  return ok('Permissions', needed.map(({ name }) => name).join(', '))
}

function toPermissions(
  { environment, declaresDns }: StackTarget,
  { accountId, zoneId }: CloudflareIds,
): Permission[] {
  const account = `/accounts/${accountId}`
  const zone = `/zones/${zoneId}`
  const edit = (name: string, path: string): Permission => ({
    name: `${name} Edit`,
    method: 'DELETE',
    path,
  })
  const isSite = environment.worker === 'site'
  // Without MANAGE_DNS, `checkHosting` may recommend to set it to true, so DNS Edit is needed too.
  const editsDns = isSite && (declaresDns !== false || environment.ingress === 'custom-domain')
  return [
    // The name of a script cannot contain a dot.
    edit('Workers Scripts', `${account}/workers/scripts/no.script`),
    ...(isSite
      ? [
          edit('Workers KV Storage', `${account}/storage/kv/namespaces/${NO_RESOURCE}`),
          edit('D1', `${account}/d1/database/${NO_DATABASE}`),
        ]
      : []),
    edit('Workers Routes', `${zone}/workers/routes/${NO_RESOURCE}`),
    editsDns
      ? edit('DNS', `${zone}/dns_records/${NO_RESOURCE}`)
      : { name: 'DNS Read', method: 'GET', path: `${zone}/dns_records` },
    { name: 'Zone Read', method: 'GET', path: zone },
    { name: 'Zone Settings Read', method: 'GET', path: `${zone}/settings/always_use_https` },
  ]
}

function isDenied(status: number | undefined): boolean {
  return status === 401 || status === 403
}
