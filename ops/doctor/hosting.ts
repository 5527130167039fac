import * as z from 'zod/mini'
import { MEDIA_PREFIX } from '../../contract/constants.ts'
import { environments } from '../../infra/environments.ts'
import { parsePattern } from '../../infra/routing.ts'
import type { CloudflareApi } from '../lib/cloudflare.ts'
import { readAll } from '../lib/live.ts'
import { toCurl } from './curl.ts'
import { attempt, type Finding, failed, ok } from './findings.ts'
import type { CloudflareIds, StackTarget } from './target.ts'

const DnsRecord = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  content: z.optional(z.string()),
  proxied: z.optional(z.boolean()),
})
type DnsRecord = z.infer<typeof DnsRecord>
const Route = z.object({
  id: z.string(),
  pattern: z.string(),
  script: z.optional(z.nullable(z.string())),
})
type Route = z.infer<typeof Route>
const Domain = z.object({ id: z.string(), hostname: z.string(), service: z.string() })
type Domain = z.infer<typeof Domain>

/** Checks for routes, custom domains and DNS records that conflict with the stack's hosts. */
export async function checkHosting(
  api: CloudflareApi,
  target: StackTarget,
  { accountId, zoneId }: CloudflareIds,
): Promise<Finding[]> {
  const readDomains = () => readAll(api, `/accounts/${accountId}/workers/domains`, Domain)
  return [
    await attempt('Routes', async () => {
      const routes = await readAll(api, `/zones/${zoneId}/workers/routes`, Route)
      const conflicts = [
        ...findRouteConflicts(target, routes, zoneId),
        ...findDomainConflicts(target, await readDomains(), accountId),
      ]
      if (conflicts.length === 0) return ok('Routes', 'no conflicts')
      const details = conflicts.map(({ detail }) => detail).join(', ')
      return failed('Routes', details, ...conflicts.map(({ path }) => toCurl('DELETE', path)))
    }),
    await attempt('DNS records', async () => {
      const listed = target.hosts.map((host) =>
        readAll(api, `/zones/${zoneId}/dns_records`, DnsRecord, { name: host }),
      )
      const records = (await Promise.all(listed)).flat().filter(isAddress)
      return checkRecords(target, records, await readDomains(), zoneId)
    }),
  ]
}

/** A route or custom domain of another script, and its path in Cloudflare's API. */
interface Conflict {
  detail: string
  path: string
}

function findRouteConflicts(
  { environment, hosts }: StackTarget,
  routes: readonly Route[],
  zoneId: string,
): Conflict[] {
  const path = environment.worker === 'media' ? MEDIA_PREFIX : '/'
  return routes
    .filter(
      ({ pattern, script }) =>
        script !== environment.scriptName &&
        !isSiblingWorker(environment.worker, script) &&
        hosts.some((host) => isAtOrBelow(pattern, host, path)),
    )
    .map(({ id, pattern, script }) => ({
      detail: `"${pattern}" belongs to ${script || 'no script'}`,
      path: `/zones/${zoneId}/workers/routes/${id}`,
    }))
}

function findDomainConflicts(
  { environment, hosts }: StackTarget,
  domains: readonly Domain[],
  accountId: string,
): Conflict[] {
  const isConflict = ({ hostname, service }: Domain) =>
    environment.worker === 'site' && hosts.includes(hostname) && service !== environment.scriptName
  return domains.filter(isConflict).map(({ id, hostname, service }) => ({
    detail: `${hostname} is the custom domain of ${service}`,
    path: `/accounts/${accountId}/workers/domains/${id}`,
  }))
}

/** Whether a script runs the other kind of worker: site and media workers share hosts on purpose. */
function isSiblingWorker(kind: 'site' | 'media', script: string | null | undefined): boolean {
  return Object.values(environments).some(
    ({ scriptName, worker }) => scriptName === script && worker !== kind,
  )
}

/**
 * Whether a route is for `host`, and for `path` or a path below it. A less specific route is no conflict,
 * because the route of the stack takes precedence.
 */
function isAtOrBelow(pattern: string, host: string, path: string): boolean {
  const parsed = parsePattern(pattern)
  if (!parsed || parsed.anySubdomain) return false
  return parsed.hostname === host && (parsed.path.startsWith(path) || `${parsed.path}/` === path)
}

function checkRecords(
  target: StackTarget,
  records: readonly DnsRecord[],
  domains: readonly Domain[],
  zoneId: string,
): Finding {
  // Cloudflare manages the DNS record of a custom domain.
  const conflicts = target.hosts.flatMap((host) =>
    domains.some(({ hostname }) => hostname === host)
      ? []
      : findRecordConflicts(
          target,
          host,
          records.filter(({ name }) => name === host),
          zoneId,
        ),
  )
  if (conflicts.length === 0) return ok('DNS records', 'no conflicts')
  const details = conflicts.map(({ detail }) => detail).join(', ')
  return failed('DNS records', details, ...new Set(conflicts.map(({ fix }) => fix)))
}

function findRecordConflicts(
  { environment, declaresDns, stack }: StackTarget,
  host: string,
  records: readonly DnsRecord[],
  zoneId: string,
): { detail: string; fix: string }[] {
  const [record] = records
  const isServedByRoute = environment.worker === 'site' && environment.ingress === 'route'
  if (!record) {
    if (!isServedByRoute || declaresDns) return []
    const fix = `pulumi config set MANAGE_DNS true --stack ${stack}`
    return [{ detail: `${host} has no record`, fix }]
  }
  const conflict = `${host} has a record of type ${record.type}`
  const remove = toCurl('DELETE', `/zones/${zoneId}/dns_records/${record.id}`)
  if (environment.worker === 'site' && !isServedByRoute) {
    return [{ detail: `${conflict}, so it cannot become a custom domain`, fix: remove }]
  }
  if (!record.proxied) return [{ detail: `${conflict} that is not proxied`, fix: remove }]
  if (declaresDns && !isDeclared(record)) {
    const fix = `pulumi config set MANAGE_DNS false --stack ${stack}`
    return [{ detail: `${conflict} that this stack does not declare`, fix }]
  }
  return []
}

/** Whether the record is the one that a stack with `MANAGE_DNS` declares. */
function isDeclared({ type, content }: DnsRecord): boolean {
  return type === 'AAAA' && content === '100::'
}

function isAddress({ type }: DnsRecord): boolean {
  return ['A', 'AAAA', 'CNAME'].includes(type)
}
