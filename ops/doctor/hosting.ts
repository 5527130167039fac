import * as z from 'zod/mini'
import { MEDIA_PREFIX } from '../../contract/constants.ts'
import { environments } from '../../infra/environments.ts'
import { parsePattern, type Route } from '../../infra/routing.ts'
import type { CloudflareApi } from '../lib/cloudflare.ts'
import { readAll, readHosting } from '../lib/live.ts'
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
type Domain = { hostname: string; service: string }

/** Routes, custom domains and DNS records of others that stand in the way of the stack's hosts. */
export async function checkHosting(
  api: CloudflareApi,
  target: Target,
  { accountId, zoneId }: Place,
): Promise<Finding[]> {
  const hosting = readHosting(api, accountId, zoneId)
  return [
    await attempt('Routes', async () => checkRoutes(target, await hosting, zoneId)),
    await attempt('DNS records', async () => {
      const listed = target.hosts.map((host) =>
        readAll(api, `/zones/${zoneId}/dns_records`, DnsRecord, { name: host }),
      )
      const records = (await Promise.all(listed)).flat().filter(isAddress)
      return checkRecords(target, records, (await hosting).domains, zoneId)
    }),
  ]
}

function checkRoutes(
  { environment, hosts }: Target,
  { routes, domains }: { routes: readonly Route[]; domains: readonly Domain[] },
  zoneId: string,
): Finding {
  const { scriptName } = environment
  const path = environment.worker === 'media' ? MEDIA_PREFIX : '/'
  const inTheWay = routes.filter(
    ({ pattern, script }) =>
      script !== scriptName &&
      !isOtherKind(environment.worker, script) &&
      hosts.some((host) => covers(pattern, host, path)),
  )
  const owners = domains.filter(
    ({ hostname, service }) =>
      environment.worker === 'site' && hosts.includes(hostname) && service !== scriptName,
  )
  const others = [
    ...inTheWay.map(({ pattern, script }) => `"${pattern}" belongs to ${script ?? 'no script'}`),
    ...owners.map(({ hostname, service }) => `${hostname} is the custom domain of ${service}`),
  ]
  if (others.length === 0) return ok('Routes', 'nothing is in the way')
  const mend = `https://dash.cloudflare.com/?to=/:account/:zone/workers    # zone ${zoneId}: delete it`
  return failed('Routes', others.join(', '), mend)
}

/** Media workers take their paths from a site on purpose, and sites have routes on the hosts of media. */
function isOtherKind(kind: 'site' | 'media', script: string | undefined): boolean {
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
  const remove = `curl -fsS -X DELETE "\${CLOUDFLARE_BASE_URL:-https://api.cloudflare.com/client/v4}/zones/${zoneId}/dns_records/${record.id}" -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"`
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
