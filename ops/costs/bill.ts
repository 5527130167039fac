import * as z from 'zod/mini'
import { type MonthlyLoad, toLoad } from './load.ts'
import { PRICES } from './prices.ts'
import { HOURS_PER_MONTH, INVALIDATION, MEDIA, SITE } from './traffic.ts'

/** A golden file of infra/: inputs of each resource by `<type> <name>`. */
export const RecordedDeclaration = z.object({
  resources: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.unknown()) })),
})
export type RecordedDeclaration = z.infer<typeof RecordedDeclaration>

/** US dollars a month, by billed item. */
export type Bill = Map<string, number>

/** Returns the billed items of a resource, in US dollars a month. */
type PriceFunction = (
  load: MonthlyLoad,
  inputs: Record<string, unknown>,
  name: string,
) => [string, number][]

/**
 * Computes the monthly bill of a stack for a number of visitors' requests in that month.
 * @throws Error for a type of resource that is neither in `BILLED_TYPES` nor in `FREE_TYPES`
 */
export function toBill(declaration: RecordedDeclaration, requests: number): Bill {
  const resources = Object.entries(declaration.resources).map(([key, { inputs }]) => {
    const [type = '', name = ''] = key.split(' ')
    return { type, name, inputs }
  })
  const load = toLoad(resources, requests)
  const bill: Bill = new Map()
  for (const { type, name, inputs } of resources) {
    const priceResource = Object.hasOwn(BILLED_TYPES, type) ? BILLED_TYPES[type] : undefined
    if (!priceResource && !FREE_TYPES.has(type)) {
      throw new Error(
        `${type} has no price: add it to \`BILLED_TYPES\` or \`FREE_TYPES\` in ops/costs/bill.ts.`,
      )
    }
    for (const [line, amount] of priceResource?.(load, inputs, name) ?? []) {
      bill.set(line, (bill.get(line) ?? 0) + amount)
    }
  }
  return bill
}

/** Returns the sum of a bill, in US dollars a month. */
export function toTotal(bill: Bill): number {
  return [...bill.values()].reduce((sum, amount) => sum + amount, 0)
}

/** Price functions by the short name of a resource's type. */
const BILLED_TYPES: Record<string, PriceFunction | undefined> = {
  WorkersScript: ({ requests, crons, cpuMs, logLines }) => [
    ['Workers: requests', priceMillions(requests + crons, PRICES.workerRequests)],
    ['Workers: CPU time', priceMillions((requests + crons) * cpuMs, PRICES.workerCpuMs)],
    ['Workers: logs', priceMillions(logLines, PRICES.workerLogs)],
  ],
  WorkersKvNamespace: ({ misses }) => [
    ['KV: reads', priceMillions(misses * SITE.kvReads, PRICES.kvReads)],
    ['KV: writes', priceMillions(misses * (1 - SITE.kvHits), PRICES.kvWrites)],
  ],
  D1Database: (load) => priceD1(load),
  // The other function, for migrations, runs too rarely to count.
  Function: (load, inputs, name) => (name === 'api' ? priceApi(load, inputs) : []),
  Instance: (_, inputs) => priceInstance(Instance.parse(inputs)),
  Bucket: ({ misses }) => [
    ['S3: storage', MEDIA.storedGb * PRICES.s3Gb],
    ['S3: requests', priceMillions(misses * MEDIA.readsPerMiss, PRICES.s3Reads)],
    ['AWS: data out', misses * MEDIA.objectKb * GB_PER_KB * PRICES.egressGb],
  ],
  MetricAlarm: () => [['CloudWatch: alarms', PRICES.alarm]],
  LogMetricFilter: () => [['CloudWatch: metrics', PRICES.metric]],
  Key: () => [['KMS: key', PRICES.key]],
}

const FREE_TYPES = new Set([
  'WorkersScriptSubdomain',
  'WorkersCronTrigger',
  'WorkersRoute',
  'WorkersCustomDomain',
  'DnsRecord',
  'Vpc',
  'Subnet',
  'SubnetGroup',
  'SecurityGroup',
  'SecurityGroupIngressRule',
  'SecurityGroupEgressRule',
  'Role',
  'RolePolicy',
  'RolePolicyAttachment',
  'LogGroup',
  'FunctionUrl',
  'Permission',
  'Invocation',
  'User',
  'UserPolicy',
  'AccessKey',
  'Alias',
  'BucketPublicAccessBlock',
  'BucketOwnershipControls',
  'BucketPolicy',
  'BucketVersioning',
  'BucketServerSideEncryptionConfiguration',
  'BucketLifecycleConfiguration',
])

const GB_PER_KB = 1 / 1024 ** 2

const ApiFunction = z.object({ memorySize: z.number() })
const Instance = z.object({
  instanceClass: z.enum(Object.keys(PRICES.databaseHour) as (keyof typeof PRICES.databaseHour)[]),
  allocatedStorage: z.number(),
  multiAz: z.boolean(),
})

/** Returns the price of units, of which `included` millions are free; each further million costs `each`. */
function priceMillions(
  count: number,
  { included, each }: { included: number; each: number },
): number {
  return Math.max(0, count / 1e6 - included) * each
}

function priceD1({ logReads, followRuns, requests }: MonthlyLoad): [string, number][] {
  const { rowsOfRead, dataCentres, fullReadSeconds, liveRows } = INVALIDATION
  const fullReads = Math.min(requests, (dataCentres * HOURS_PER_MONTH * 3600) / fullReadSeconds)
  const read = (logReads + followRuns) * rowsOfRead + fullReads * liveRows
  const written =
    followRuns * INVALIDATION.rowsOfRun + INVALIDATION.changes * INVALIDATION.rowsOfChange
  return [
    ['D1: rows read', priceMillions(read, PRICES.d1Reads)],
    ['D1: rows written', priceMillions(written, PRICES.d1Writes)],
    ['D1: storage', Math.max(0, INVALIDATION.storedGb - PRICES.d1Gb.included) * PRICES.d1Gb.each],
  ]
}

function priceApi(load: MonthlyLoad, inputs: Record<string, unknown>): [string, number][] {
  const { apiCalls, followRuns } = load
  const { memorySize } = ApiFunction.parse(inputs)
  const calls = apiCalls + followRuns
  const seconds = (apiCalls * SITE.apiMs + followRuns * INVALIDATION.followMs) / 1000
  const sentKb = apiCalls * SITE.apiResponseKb + followRuns * INVALIDATION.followResponseKb
  return [
    ['Lambda: requests', priceMillions(calls, PRICES.lambdaRequests)],
    ['Lambda: time', (seconds * memorySize * PRICES.lambdaGbSecond) / 1024],
    ['CloudWatch: logs', apiCalls * SITE.apiLogKb * GB_PER_KB * PRICES.logsGb],
    ['AWS: data out', sentKb * GB_PER_KB * PRICES.egressGb],
  ]
}

function priceInstance({ instanceClass, allocatedStorage, multiAz }: z.infer<typeof Instance>) {
  const zones = multiAz ? 2 : 1
  const lines: [string, number][] = [
    ['RDS: instance', zones * HOURS_PER_MONTH * PRICES.databaseHour[instanceClass]],
    ['RDS: storage', zones * allocatedStorage * PRICES.databaseGb],
  ]
  return lines
}
