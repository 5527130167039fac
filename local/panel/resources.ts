import type { CapturedStack } from '../emulators/pulumi/captured-stack.ts'
import type { DeclaredResource } from './data.ts'

/** Local equivalents of resource types; the first matching prefix applies. */
const LOCAL_EQUIVALENTS: readonly [prefix: string, local: string][] = [
  ['cloudflare:index/workersScript:', 'script in workerd'],
  ['cloudflare:index/workersKvNamespace:', 'namespace of Miniflare, under .local/edge'],
  ['cloudflare:index/d1Database:', 'database of Miniflare, under .local/edge'],
  ['cloudflare:index/workersRoute:', 'route of the local router'],
  ['cloudflare:index/workersCustomDomain:', 'host of the local router'],
  ['cloudflare:index/workersCronTrigger:', 'timer of this process'],
  ['cloudflare:index/', 'setting of the local Cloudflare account'],
  ['aws:lambda/functionUrl:', 'address of the local read API'],
  ['aws:lambda/invocation:', 'migration of the local database'],
  ['aws:lambda/function:', 'process on this machine'],
  ['aws:rds/', 'the local PostgreSQL server'],
  ['aws:s3/', 'bucket of the local object store, under .local/store'],
  ['aws:iam/accessKey:', 'credential of the local object store'],
  ['aws:iam/userPolicy:', 'policy that the local object store enforces'],
]

/** Returns the declared resources of Cloudflare and AWS with their local equivalents. */
export function toDeclaredResources(captures: readonly CapturedStack[]): DeclaredResource[] {
  return captures.flatMap(({ stack, resources }) =>
    resources
      .filter(({ type }) => /^(cloudflare|aws):/.test(type))
      .map(({ type, name }) => ({ stack, type, name, local: toLocalEquivalent(type) })),
  )
}

function toLocalEquivalent(type: string): string {
  return LOCAL_EQUIVALENTS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'none: declared only'
}
