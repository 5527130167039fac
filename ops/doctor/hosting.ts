import * as z from 'zod/mini'
import { MEDIA_PREFIX } from '../../contract/constants.ts'
import { environments } from '../../infra/environments.ts'
import { parsePattern } from '../../infra/routing.ts'
import type { CloudflareApi } from '../lib/cloudflare.ts'
import { readAll } from '../lib/live.ts'
import { toCurl } from './curl.ts'
import { attempt, type Finding, failed, ok } from './findings.ts'
import type { Place, Target } from './target.ts'

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

/** Routes, custom domains and DNS records of others that stand in the way of the stack's hosts. */
export async function checkHosting(
  api: CloudflareApi,
  target: Target,
  { accountId, zoneId }: Place,
): Promise<Finding[]> {
  const readDomains = () => readAll(api, `/accounts/${accountId}/workers/domains`, Domain)
  return [
    await attempt('Routes', async () => {
      const routes = await readAll(api, `/zones/${zoneId}/workers/routes`, Route)
      const foreign = [
        ...findRoutes(target, routes, zoneId),
        ...findDomains(target, await readDomains(), accountId),
      ]
      if (foreign.length === 0) return ok('Routes', 'nothing is in the way')
      const details = foreign.map(({ detail }) => detail).join(', ')
      return failed('Routes', details, ...foreign.map(({ path }) => toCurl('DELETE', path)))
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

/** Something of somebody else, and its path in Cloudflare's API. */
interface Foreign {
  detail: string
  path: string
}

function findRoutes(
  { environment, hosts }: Target,
  routes: readonly Route[],
  zoneId: string,
): Foreign[] {
  const path = environment.worker === 'media' ? MEDIA_PREFIX : '/'
  return routes
    .filter(
      ({ pattern, script }) =>
        script !== environment.scriptName &&
        !isOtherKind(environment.worker, script) &&
        hosts.some((host) => covers(pattern, host, path)),
    )
    .map(({ id, pattern, script }) => ({
      detail: `"${pattern}" belongs to ${script || 'no script'}`,
      path: `/zones/${zoneId}/workers/routes/${id}`,
    }))
}

function findDomains(
  { environment, hosts }: Target,
  domains: readonly Domain[],
  accountId: string,
): Foreign[] {
  const isForeign = ({ hostname, service }: Domain) =>
    environment.worker === 'site' && hosts.includes(hostname) && service !== environment.scriptName
  return domains.filter(isForeign).map(({ id, hostname, service }) => ({
    detail: `${hostname} is the custom domain of ${service}`,
    path: `/accounts/${accountId}/workers/domains/${id}`,
  }))
}

/** Media workers take their paths from a site on purpose, and sites have routes on the hosts of media. */
function isOtherKind(kind: 'site' | 'media', script: string | null | undefined): boolean {
  return Object.values(environments).some(
    ({ scriptName, worker }) => scriptName === script && worker !== kind,
  )
}

/** Whether a route may take requests for `host` below `path`: it is on that host, and at least as specific. */
function covers(pattern: string, host: string, path: string): boolean {
  const parsed = parsePattern(pattern)
  if (!parsed || parsed.anySubdomain) return false
  return parsed.hostname === host && (parsed.path.startsWith(path) || `${parsed.path}/` === path)
}

function checkRecords(
  target: Target,
  records: readonly DnsRecord[],
  domains: readonly Domain[],
  zoneId: string,
): Finding {
  const problems = target.hosts.flatMap((host) =>
    domains.some(({ hostname }) => hostname === host)
      ? []
      : toProblems(
          target,
          host,
          records.filter(({ name }) => name === host),
          zoneId,
        ),
  )
  if (problems.length === 0) return ok('DNS records', 'nothing is in the way')
  const details = problems.map(({ detail }) => detail).join(', ')
  return failed('DNS records', details, ...new Set(problems.map(({ mend }) => mend)))
}

function toProblems(
  { environment, declaresDns, stack }: Target,
  host: string,
  records: readonly DnsRecord[],
  zoneId: string,
): { detail: string; mend: string }[] {
  const [record] = records
  const isRouted = environment.worker === 'site' && environment.ingress === 'route'
  if (!record) {
    if (!isRouted || declaresDns) return []
    const mend = `pulumi config set MANAGE_DNS true --stack ${stack}`
    return [{ detail: `${host} has no record`, mend }]
  }
  const what = `${host} has a record of type ${record.type}`
  const remove = toCurl('DELETE', `/zones/${zoneId}/dns_records/${record.id}`)
  if (environment.worker === 'site' && !isRouted) {
    return [{ detail: `${what}, so it cannot become a custom domain`, mend: remove }]
  }
  if (!record.proxied) return [{ detail: `${what} that is not proxied`, mend: remove }]
  if (declaresDns && !isDeclared(record)) {
    const mend = `pulumi config set MANAGE_DNS false --stack ${stack}`
    return [{ detail: `${what} that is not this stack's`, mend }]
  }
  return []
}

/** The record that `MANAGE_DNS` declares. */
function isDeclared({ type, content }: DnsRecord): boolean {
  return type === 'AAAA' && content === '100::'
}

function isAddress({ type }: DnsRecord): boolean {
  return ['A', 'AAAA', 'CNAME'].includes(type)
}
