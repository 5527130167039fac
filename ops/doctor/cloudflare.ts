import * as z from 'zod/mini'
import { type CloudflareApi, openCloudflare } from '../lib/cloudflare.ts'
import { readOne } from '../lib/live.ts'
import { toCurl } from './curl.ts'
import { attempt, type Finding, failed, ok, unchecked } from './findings.ts'
import { checkHosting } from './hosting.ts'
import { checkPermissions, listPermissions, TOKENS_PAGE } from './permissions.ts'
import type { CloudflareIds, StackTarget } from './target.ts'

const DASHBOARD = 'https://dash.cloudflare.com'

const Token = z.object({ status: z.string() })
const Zone = z.object({
  name: z.string(),
  status: z.string(),
  account: z.object({ id: z.string() }),
})
const ZoneSetting = z.object({ value: z.string() })

const LATER_CHECKS = [
  'Permissions',
  'Zone',
  'Hosts',
  'Routes',
  'DNS records',
  'Always Use HTTPS',
] as const

/**
 * Checks the Cloudflare token, its permissions, the zone, conflicts
 * on the stack's hosts, and Always Use HTTPS.
 */
export async function checkCloudflare(
  target: StackTarget,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const skip = (detail: string) => LATER_CHECKS.map((check) => unchecked(check, detail))
  const token = await attempt('Cloudflare token', () => checkToken(target, env))
  if (token.state !== 'ok') return [token, ...skip('needs a valid CLOUDFLARE_API_TOKEN')]
  const { accountId, zoneId } = target
  if (!accountId || !zoneId) {
    return [token, ...skip('needs CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_ZONE_ID in the stack file')]
  }
  const api = openCloudflare(env)
  const ids = { accountId, zoneId }
  return [
    token,
    await attempt('Permissions', () => checkPermissions(api, target, ids)),
    ...(await checkZone(api, target, ids)),
    ...(await checkHosting(api, target, ids)),
    await attempt('Always Use HTTPS', () => checkHttps(api, zoneId)),
  ]
}

async function checkToken(target: StackTarget, env: NodeJS.ProcessEnv): Promise<Finding> {
  const check = 'Cloudflare token'
  const fix = `export CLOUDFLARE_API_TOKEN=<token>    # from ${TOKENS_PAGE}, with ${listPermissions(target).join(', ')}`
  if (!env.CLOUDFLARE_API_TOKEN) return failed(check, 'CLOUDFLARE_API_TOKEN is not set', fix)
  const response = await openCloudflare(env)('/user/tokens/verify')
  if (response.status >= 500)
    return unchecked(check, `Cloudflare's API responds with ${response.status}`)
  if (!response.ok) return failed(check, 'is not accepted by Cloudflare', fix)
  const { result } = z.object({ result: Token }).parse(await response.json())
  return result.status === 'active' ? ok(check, 'active') : failed(check, result.status, fix)
}

async function checkZone(
  api: CloudflareApi,
  { hosts, stack }: StackTarget,
  { accountId, zoneId }: CloudflareIds,
): Promise<Finding[]> {
  const response = await api(`/zones/${zoneId}`)
  if (response.status >= 500) {
    const detail = `Cloudflare's API responds with ${response.status}`
    return [unchecked('Zone', detail), unchecked('Hosts', detail)]
  }
  if (!response.ok) {
    const fix = `pulumi config set CLOUDFLARE_ZONE_ID <zone id> --stack ${stack}    # ${DASHBOARD}, the zone's overview`
    const detail = `${zoneId} is not a zone that the token can read`
    return [failed('Zone', detail, fix), unchecked('Hosts', 'needs the zone')]
  }
  const { result: zone } = z.object({ result: Zone }).parse(await response.json())
  return [toZoneFinding(zone, accountId, stack), toHostFinding(zone, hosts, stack)]
}

function toZoneFinding(
  { name, status, account }: z.infer<typeof Zone>,
  accountId: string,
  stack: string,
): Finding {
  if (account.id !== accountId) {
    const fix = `pulumi config set CLOUDFLARE_ACCOUNT_ID ${account.id} --stack ${stack}`
    return failed('Zone', `${name} belongs to account ${account.id}, not ${accountId}`, fix)
  }
  if (status === 'active') return ok('Zone', `${name} is active`)
  const fix = `${DASHBOARD}/${accountId}/${name}    # shows the name servers to set at the registrar`
  return failed('Zone', `${name} is ${status}`, fix)
}

function toHostFinding(
  { name }: z.infer<typeof Zone>,
  hosts: readonly string[],
  stack: string,
): Finding {
  const key = stack.startsWith('media') ? "--path 'MEDIA_HOSTS[0]'" : 'SITE_HOST'
  const fix = `pulumi config set ${key} <host>.${name} --stack ${stack}`
  const outside = hosts.filter((host) => host !== name && !host.endsWith(`.${name}`))
  if (hosts.length === 0) return failed('Hosts', 'no host is set', fix)
  if (outside.length === 0) return ok('Hosts', hosts.join(', '))
  return failed('Hosts', `${outside.join(', ')} is not in the zone ${name}`, fix)
}

/** The workers redirect plain http themselves; with the setting, those requests do not invoke them. */
async function checkHttps(api: CloudflareApi, zoneId: string): Promise<Finding> {
  const path = `/zones/${zoneId}/settings/always_use_https`
  const { result } = await readOne(api, path, ZoneSetting)
  if (result.value === 'on') return ok('Always Use HTTPS', 'on')
  const body = `-H 'Content-Type: application/json' -d '{"value": "on"}'`
  return failed('Always Use HTTPS', result.value, `${toCurl('PATCH', path)} ${body}`)
}
