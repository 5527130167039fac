import * as z from 'zod/mini'
import { type MonthlyLoad, toLoad } from './load.ts'
import { prices } from './prices.ts'
import { hoursOfMonth, invalidation, media, site } from './traffic.ts'

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
    const price = Object.hasOwn(billed, type) ? billed[type] : undefined
    if (!price && !free.has(type)) {
      throw new Error(
        `${type} has no price: add it to \`billed\` or \`free\` in ops/costs/bill.ts.`,
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
const billed: Record<string, Price | undefined> = {
  WorkersScript: ({ requests, crons, cpuMs, logLines }) => [
    ['Workers: requests', toMillions(requests + crons, prices.workerRequests)],
    ['Workers: CPU time', toMillions((requests + crons) * cpuMs, prices.workerCpuMs)],
    ['Workers: logs', toMillions(logLines, prices.workerLogs)],
  ],
  WorkersKvNamespace: ({ misses }) => [
    ['KV: reads', toMillions(misses * site.storeReads, prices.kvReads)],
    ['KV: writes', toMillions(misses * (1 - site.storeHits), prices.kvWrites)],
  ],
  D1Database: (load) => toDatabase(load),
  Function: (load, inputs, name) => (name === 'api' ? toFunction(load, inputs) : []),
  Instance: (_, inputs) => toInstance(Instance.parse(inputs)),
  Bucket: ({ misses }) => [
    ['S3: storage', media.storedGb * prices.s3Gb],
    ['S3: requests', toMillions(misses * media.readsPerMiss, prices.s3Reads)],
    ['AWS: data out', misses * media.objectKb * GB_OF_KB * prices.egressGb],
  ],
  MetricAlarm: () => [['CloudWatch: alarms', prices.alarm]],
  LogMetricFilter: () => [['CloudWatch: metrics', prices.metric]],
  Key: () => [['KMS: key', prices.key]],
}

const free = new Set([
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
  instanceClass: z.enum(Object.keys(prices.databaseHour) as (keyof typeof prices.databaseHour)[]),
  allocatedStorage: z.number(),
  multiAz: z.boolean(),
})

function toMillions(count: number, { included, each }: { included: number; each: number }): number {
  return Math.max(0, count / 1e6 - included) * each
}

function toDatabase({ logReads, followRuns, requests }: MonthlyLoad): [string, number][] {
  const { rowsOfRead, dataCentres, fullReadSeconds, liveRows } = invalidation
  const fullReads = Math.min(requests, (dataCentres * hoursOfMonth * 3600) / fullReadSeconds)
  const read = (logReads + followRuns) * rowsOfRead + fullReads * liveRows
  const written =
    followRuns * invalidation.rowsOfRun + invalidation.changes * invalidation.rowsOfChange
  return [
    ['D1: rows read', toMillions(read, prices.d1Reads)],
    ['D1: rows written', toMillions(written, prices.d1Writes)],
    ['D1: storage', Math.max(0, invalidation.storedGb - prices.d1Gb.included) * prices.d1Gb.each],
  ]
}

function toFunction(load: MonthlyLoad, inputs: Record<string, unknown>): [string, number][] {
  const { apiCalls, followRuns } = load
  const { memorySize } = ApiFunction.parse(inputs)
  const calls = apiCalls + followRuns
  const seconds = (apiCalls * site.apiMs + followRuns * invalidation.followMs) / 1000
  const sentKb = apiCalls * site.apiResponseKb + followRuns * invalidation.followResponseKb
  return [
    ['Lambda: requests', toMillions(calls, prices.lambdaRequests)],
    ['Lambda: time', (seconds * memorySize * prices.lambdaGbSecond) / 1024],
    ['CloudWatch: logs', calls * site.apiLogKb * GB_OF_KB * prices.logsGb],
    ['AWS: data out', sentKb * GB_OF_KB * prices.egressGb],
  ]
}

function toInstance({ instanceClass, allocatedStorage, multiAz }: z.infer<typeof Instance>) {
  const zones = multiAz ? 2 : 1
  const lines: [string, number][] = [
    ['RDS: instance', zones * hoursOfMonth * prices.databaseHour[instanceClass]],
    ['RDS: storage', zones * allocatedStorage * prices.databaseGb],
  ]
  return lines
}
