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

type Price = (
  load: MonthlyLoad,
  inputs: Record<string, unknown>,
  name: string,
) => [string, number][]

/**
 * Computes the monthly bill of a stack for a number of visitors' requests.
 * @throws Error for a type of resource that has no price
 */
export function toBill(declaration: RecordedDeclaration, requests: number): Bill {
  const resources = Object.entries(declaration.resources).map(([key, { inputs }]) => {
    const [type = '', name = ''] = key.split(' ')
    return { type, name, inputs }
  })
  const load = toLoad(resources, requests)
  const bill: Bill = new Map()
  for (const { type, name, inputs } of resources) {
    const price = Object.hasOwn(BILLED_TYPES, type) ? BILLED_TYPES[type] : undefined
    if (!price && !FREE_TYPES.has(type)) {
      throw new Error(
        `${type} has no price: add it to \`BILLED_TYPES\` or \`FREE_TYPES\` in ops/costs/bill.ts.`,
      )
    }
    for (const [line, amount] of price?.(load, inputs, name) ?? []) {
      bill.set(line, (bill.get(line) ?? 0) + amount)
    }
  }
  return bill
}

export function toTotal(bill: Bill): number {
  return [...bill.values()].reduce((sum, amount) => sum + amount, 0)
}

/** Prices by the short name of a resource's type. */
const BILLED_TYPES: Record<string, Price | undefined> = {
  WorkersScript: ({ requests, crons, cpuMs, logLines }) => [
    ['Workers: requests', toMillions(requests + crons, PRICES.workerRequests)],
    ['Workers: CPU time', toMillions((requests + crons) * cpuMs, PRICES.workerCpuMs)],
    ['Workers: logs', toMillions(logLines, PRICES.workerLogs)],
  ],
  WorkersKvNamespace: ({ misses }) => [
    ['KV: reads', toMillions(misses * SITE.storeReads, PRICES.kvReads)],
    ['KV: writes', toMillions(misses * (1 - SITE.storeHits), PRICES.kvWrites)],
  ],
  D1Database: (load) => toDatabase(load),
  Function: (load, inputs, name) => (name === 'api' ? toFunction(load, inputs) : []),
  Instance: (_, inputs) => toInstance(Instance.parse(inputs)),
  Bucket: ({ misses }) => [
    ['S3: storage', MEDIA.storedGb * PRICES.s3Gb],
    ['S3: requests', toMillions(misses * MEDIA.readsPerMiss, PRICES.s3Reads)],
    ['AWS: data out', misses * MEDIA.objectKb * GB_OF_KB * PRICES.egressGb],
  ],
  MetricAlarm: () => [['CloudWatch: alarms', PRICES.alarm]],
  LogMetricFilter: () => [['CloudWatch: metrics', PRICES.metric]],
  Key: () => [['KMS: key', PRICES.key]],
}

const FREE_TYPES = new Set([
  ...['WorkersScriptSubdomain', 'WorkersCronTrigger', 'WorkersRoute', 'WorkersCustomDomain'],
  ...['DnsRecord', 'Vpc', 'Subnet', 'SubnetGroup', 'SecurityGroup', 'SecurityGroupIngressRule'],
  ...['SecurityGroupEgressRule', 'Role', 'RolePolicy', 'RolePolicyAttachment', 'LogGroup'],
  ...['FunctionUrl', 'Permission', 'Invocation', 'User', 'UserPolicy', 'AccessKey', 'Alias'],
  ...['BucketPublicAccessBlock', 'BucketOwnershipControls', 'BucketPolicy', 'BucketVersioning'],
  ...['BucketServerSideEncryptionConfiguration', 'BucketLifecycleConfiguration'],
])

const GB_OF_KB = 1 / 1024 ** 2

const ApiFunction = z.object({ memorySize: z.number() })
const Instance = z.object({
  instanceClass: z.enum(Object.keys(PRICES.databaseHour) as (keyof typeof PRICES.databaseHour)[]),
  allocatedStorage: z.number(),
  multiAz: z.boolean(),
})

function toMillions(count: number, { included, each }: { included: number; each: number }): number {
  return Math.max(0, count / 1e6 - included) * each
}

function toDatabase({ logReads, followRuns, requests }: MonthlyLoad): [string, number][] {
  const { rowsOfRead, dataCentres, fullReadSeconds, liveRows } = INVALIDATION
  const fullReads = Math.min(requests, (dataCentres * HOURS_PER_MONTH * 3600) / fullReadSeconds)
  const read = (logReads + followRuns) * rowsOfRead + fullReads * liveRows
  const written =
    followRuns * INVALIDATION.rowsOfRun + INVALIDATION.changes * INVALIDATION.rowsOfChange
  return [
    ['D1: rows read', toMillions(read, PRICES.d1Reads)],
    ['D1: rows written', toMillions(written, PRICES.d1Writes)],
    ['D1: storage', Math.max(0, INVALIDATION.storedGb - PRICES.d1Gb.included) * PRICES.d1Gb.each],
  ]
}

function toFunction(load: MonthlyLoad, inputs: Record<string, unknown>): [string, number][] {
  const { apiCalls, followRuns } = load
  const { memorySize } = ApiFunction.parse(inputs)
  const calls = apiCalls + followRuns
  const seconds = (apiCalls * SITE.apiMs + followRuns * INVALIDATION.followMs) / 1000
  const sentKb = apiCalls * SITE.apiResponseKb + followRuns * INVALIDATION.followResponseKb
  return [
    ['Lambda: requests', toMillions(calls, PRICES.lambdaRequests)],
    ['Lambda: time', (seconds * memorySize * PRICES.lambdaGbSecond) / 1024],
    ['CloudWatch: logs', apiCalls * SITE.apiLogKb * GB_OF_KB * PRICES.logsGb],
    ['AWS: data out', sentKb * GB_OF_KB * PRICES.egressGb],
  ]
}

function toInstance({ instanceClass, allocatedStorage, multiAz }: z.infer<typeof Instance>) {
  const zones = multiAz ? 2 : 1
  const lines: [string, number][] = [
    ['RDS: instance', zones * HOURS_PER_MONTH * PRICES.databaseHour[instanceClass]],
    ['RDS: storage', zones * allocatedStorage * PRICES.databaseGb],
  ]
  return lines
}
