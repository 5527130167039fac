import { findScript, sortByPrecedence } from '../../infra/routing.ts'
import type { DeployedEnvironment } from '../deploy/environments.ts'
import { type CloudflareAccount, toHosting } from '../emulators/cloudflare/account.ts'
import type { Binding } from '../emulators/cloudflare/bindings.ts'
import { toErrorMessage } from '../lib/user-error.ts'
import type { FaultName, Faults } from './faults.ts'
import { type InspectedEntry, type Inspection, inspectCache } from './inspection.ts'
import { type RequestRow, toRequestRows } from './request-rows.ts'
import { createJudge, type PageVerdict } from './verdict.ts'

/** A declared resource and its local equivalent. */
export interface DeclaredResource {
  stack: string
  type: string
  name: string
  local: string
}

export interface PanelDeps {
  edgePort: number
  /** Secret of the edge's inspection and cron triggers. */
  token: string
  cloudflare: CloudflareAccount
  environments: () => readonly DeployedEnvironment[]
  resources: () => readonly DeclaredResource[]
  /** URLs of the read APIs by stack, without `/public/v2`. */
  apiUrls: Readonly<Record<string, string>>
  /** Folder of the logs, relative to the working directory. */
  logs: string
  /** The last structured log lines of the workers. */
  logLines: () => readonly string[]
  faults: Faults
  /** Current problems, such as a read API that is restarting or an edit that failed. */
  notices: () => readonly string[]
}

export interface PanelQuery {
  url: string | undefined
  host: string | undefined
  message: string | undefined
}

export interface EnvironmentView extends DeployedEnvironment {
  bindings: readonly Binding[]
  resources: readonly DeclaredResource[]
  api: string | undefined
  crons: readonly string[]
}

interface RouteView {
  pattern: string
  kind: 'route' | 'custom domain'
  script: string | undefined
}

export interface CacheView {
  host: string
  hosts: readonly string[]
  inspection: Inspection | undefined
  failure: string | undefined
}

export interface PanelData {
  message: string | undefined
  notices: readonly string[]
  environments: readonly EnvironmentView[]
  routes: readonly RouteView[]
  /** Result of trying a URL. */
  tried: { url: string; script: string | undefined; reason: string } | undefined
  /** URL for the input field: on the canary's host, a media route takes precedence over the custom domain. */
  exampleUrl: string
  requests: readonly RequestRow[]
  cache: CacheView | undefined
  judge: (entry: InspectedEntry) => PageVerdict | undefined
  faults: ReadonlySet<FaultName>
  logs: string
}

export async function readPanelData(deps: PanelDeps, query: PanelQuery): Promise<PanelData> {
  const environments = deps.environments().map((each) => toView(deps, each))
  const sites = environments.filter(({ home }) => home !== undefined)
  const exampleUrl = toExample(environments, deps.edgePort)
  const cache = await readCache(deps, sites, query.host)
  const judge = cache?.inspection ? await createJudge(cache.inspection) : () => undefined
  return {
    message: query.message,
    notices: deps.notices(),
    environments,
    routes: toRoutes(deps.cloudflare),
    tried: query.url === undefined ? undefined : tryUrl(deps.cloudflare, query.url),
    exampleUrl,
    requests: toRequestRows(deps.logLines()).slice(0, 200),
    cache,
    judge,
    faults: deps.faults.active(),
    logs: deps.logs,
  }
}

function toView(deps: PanelDeps, environment: DeployedEnvironment): EnvironmentView {
  const { cloudflare, apiUrls } = deps
  const bindings = cloudflare.scripts.get(environment.script)?.bindings ?? []
  const base = bindings.find((each) => each.name === 'CMS_API_BASE_URL')
  const url = base && 'text' in base ? new URL(base.text).origin : undefined
  const api = Object.values(apiUrls).find((each) => new URL(each).origin === url)
  return {
    ...environment,
    bindings: bindings.toSorted((a, b) => a.name.localeCompare(b.name)),
    resources: deps.resources().filter(({ stack }) => stack === environment.stack),
    api,
    crons: cloudflare.crons.get(environment.script) ?? [],
  }
}

/** Returns all patterns in the order in which Cloudflare tries them: routes, most specific first, then domains. */
function toRoutes({ routes, domains }: CloudflareAccount): RouteView[] {
  const declared = [...routes.values()].map(({ pattern, script }) => ({
    pattern,
    script,
    kind: 'route' as const,
  }))
  return [
    ...sortByPrecedence(declared),
    ...[...domains.values()].map(({ hostname, service }) => ({
      pattern: hostname,
      script: service,
      kind: 'custom domain' as const,
    })),
  ]
}

function tryUrl(cloudflare: CloudflareAccount, text: string): PanelData['tried'] {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (!url) return { url: text, script: undefined, reason: `"${text}" is not a URL.` }
  const hosting = toHosting(cloudflare)
  const script = findScript(hosting, url)
  const route = sortByPrecedence(hosting.routes).find(
    (each) => findScript({ routes: [each], domains: {} }, url) !== undefined,
  )
  const domain = hosting.domains[url.hostname]
  if (!script) return { url: url.href, script, reason: 'No route and no custom domain matches.' }
  if (!route)
    return { url: url.href, script, reason: `Custom domain ${url.hostname}; no route matches.` }
  const overDomain =
    domain && domain !== script ? `; it precedes the custom domain of ${domain}` : ''
  const reason = `Route ${route.pattern} is the most specific match${overDomain}.`
  return { url: url.href, script, reason }
}

function toExample(environments: readonly EnvironmentView[], port: number): string {
  const canary = environments.find(({ stack }) => stack === 'site-stage-mk2') ?? environments[0]
  const host = canary?.home ? new URL(canary.home).hostname : 'stage2.localhost'
  return `http://${host}:${port}/cmp-media/css/harbour/1.0.0.css`
}

async function readCache(
  deps: PanelDeps,
  sites: readonly EnvironmentView[],
  selectedHost: string | undefined,
): Promise<CacheView | undefined> {
  const hosts = sites.flatMap(({ home }) => (home ? [new URL(home).hostname] : []))
  const index = Math.max(0, hosts.indexOf(selectedHost ?? ''))
  const [host, site] = [hosts[index], sites[index]]
  if (!host || !site) return undefined
  const namespace = site.bindings.find((each) => each.type === 'kv_namespace')
  const database = site.bindings.find((each) => each.type === 'd1')
  if (namespace?.type !== 'kv_namespace') return undefined
  const databaseId = database?.type === 'd1' ? database.databaseId : undefined
  const { edgePort, token } = deps
  try {
    const { namespaceId } = namespace
    const inspection = await inspectCache({ edgePort, token, host, namespaceId, databaseId })
    return { host, hosts, inspection, failure: undefined }
  } catch (error) {
    return { host, hosts, inspection: undefined, failure: toErrorMessage(error) }
  }
}
