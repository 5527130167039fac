import { Cron } from 'croner'
import * as z from 'zod/mini'
import { prices } from './prices.ts'
import { hoursOfMonth, media, site } from './traffic.ts'

/** A recorded declaration: inputs by `<type> <name>`. */
export const Declaration = z.object({
  resources: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.unknown()) })),
})
export type Declaration = z.infer<typeof Declaration>

/** US dollars a month, by what is billed. */
export type Bill = Map<string, number>

interface Load {
  /** Requests of readers to the stack. */
  requests: number
  /** Invocations by cron triggers. */
  crons: number
  /** Requests past the edge cache. */
  misses: number
  apiCalls: number
  cpuMs: number
}

type Price = (load: Load, inputs: Record<string, unknown>, name: string) => [string, number][]

/** The monthly bill of a stack at so many requests of readers. Throws on what has no price. */
export function toBill(declaration: Declaration, requests: number): Bill {
  const resources = Object.entries(declaration.resources).map(([key, { inputs }]) => {
    const [type = '', name = ''] = key.split(' ')
    return { type, name, inputs }
  })
  const load = toLoad(resources, requests)
  const bill: Bill = new Map()
  for (const { type, name, inputs } of resources) {
    const price = Object.hasOwn(billed, type) ? billed[type] : undefined
    if (!price && !free.has(type)) throw new Error(`${type} has no price in ops/costs/bill.ts`)
    for (const [line, amount] of price?.(load, inputs, name) ?? [])
      bill.set(line, (bill.get(line) ?? 0) + amount)
  }
  return bill
}

export function toTotal(bill: Bill): number {
  return [...bill.values()].reduce((sum, amount) => sum + amount, 0)
}

/** By the short name of a resource's type. */
const billed: Record<string, Price | undefined> = {
  WorkersScript: ({ requests, crons, cpuMs }, inputs) => [
    ['Workers: requests', toMillions(requests + crons, prices.workerRequests)],
    ['Workers: CPU time', toMillions((requests + crons) * cpuMs, prices.workerCpuMs)],
    ['Workers: logs', toMillions((requests + crons) * toSampled(inputs), prices.workerLogs)],
  ],
  WorkersKvNamespace: ({ misses }) => [
    ['KV: reads', toMillions(misses * site.storeReads, prices.kvReads)],
    ['KV: writes', toMillions(misses * (1 - site.storeHits), prices.kvWrites)],
  ],
  Function: ({ apiCalls }, inputs, name) => (name === 'api' ? toFunction(apiCalls, inputs) : []),
  Instance: (_, inputs) => toInstance(Instance.parse(inputs)),
  Bucket: ({ misses }) => [
    ['S3: storage', media.storedGb * prices.s3Gb],
    ['S3: requests', toMillions(misses, prices.s3Reads)],
    ['AWS: data out', misses * media.objectKb * GB_OF_KB * prices.egressGb],
  ],
  MetricAlarm: () => [['CloudWatch: alarms', prices.alarm]],
}

const free = new Set([
  ...['WorkersScriptSubdomain', 'WorkersCronTrigger', 'WorkersRoute', 'WorkersCustomDomain'],
  ...['DnsRecord', 'Vpc', 'Subnet', 'SubnetGroup', 'SecurityGroup', 'SecurityGroupIngressRule'],
  ...['SecurityGroupEgressRule', 'Role', 'RolePolicy', 'RolePolicyAttachment', 'LogGroup'],
  ...['FunctionUrl', 'Permission', 'Invocation', 'User', 'UserPolicy', 'AccessKey'],
  ...['BucketPublicAccessBlock', 'BucketOwnershipControls', 'BucketPolicy', 'BucketVersioning'],
  ...['BucketServerSideEncryptionConfiguration', 'BucketLifecycleConfiguration'],
])

const GB_OF_KB = 1 / 1024 ** 2

const Script = z.object({ observability: z.object({ headSamplingRate: z.number() }) })
const ApiFunction = z.object({ memorySize: z.number() })
const CronTrigger = z.object({ schedules: z.array(z.object({ cron: z.string() })) })
const Instance = z.object({
  instanceClass: z.enum(Object.keys(prices.databaseHour) as (keyof typeof prices.databaseHour)[]),
  allocatedStorage: z.number(),
  multiAz: z.boolean(),
})

function toLoad(resources: { type: string; inputs: unknown }[], requests: number): Load {
  const serves = resources.some(({ type }) => type === 'WorkersKvNamespace') ? site : media
  const misses = requests * (1 - serves.edgeHits)
  const crons = resources
    .filter(({ type }) => type === 'WorkersCronTrigger')
    .flatMap(({ inputs }) => CronTrigger.parse(inputs).schedules)
    .reduce((sum, { cron }) => sum + countRuns(cron), 0)
  const apiCalls = misses * (1 - site.storeHits) * site.apiCalls + crons
  return { requests, crons, misses, apiCalls, cpuMs: serves.cpuMs }
}

/** Runs in a month, by those of a day. */
function countRuns(cron: string): number {
  const midnight = new Date('2026-01-01T00:00:00Z')
  const stopAt = new Date(midnight.getTime() + 86_400_000 - 1)
  const runs = new Cron(cron, { timezone: 'UTC', stopAt }).nextRuns(86_400, new Date(+midnight - 1))
  return (runs.length * hoursOfMonth) / 24
}

function toMillions(count: number, { included, each }: { included: number; each: number }): number {
  return Math.max(0, count / 1e6 - included) * each
}

function toSampled(inputs: unknown): number {
  return Script.parse(inputs).observability.headSamplingRate
}

function toFunction(calls: number, inputs: unknown): [string, number][] {
  const gbSeconds = (calls * site.apiMs * ApiFunction.parse(inputs).memorySize) / 1000 / 1024
  return [
    ['Lambda: requests', toMillions(calls, prices.lambdaRequests)],
    ['Lambda: time', gbSeconds * prices.lambdaGbSecond],
    ['CloudWatch: logs', calls * site.apiLogKb * GB_OF_KB * prices.logsGb],
    ['AWS: data out', calls * site.apiResponseKb * GB_OF_KB * prices.egressGb],
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
