import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Stack, stacks } from '../../infra/environments.ts'
import { RecordedDeclaration, toBill, toTotal } from './bill.ts'
import { makePage } from './index.ts'
import { toLoad } from './load.ts'
import { HOURS_PER_MONTH, INVALIDATION, MEDIA } from './traffic.ts'

test('the page has the costs of every stack at every volume', async () => {
  const page = await makePage()
  for (const stack of stacks)
    expect(page).toMatch(new RegExp(`^\\| ${stack} (\\| \\$[\\d,.]+ ){3}\\|$`, 'm'))
})

const script = { inputs: { observability: { headSamplingRate: 1 } } }
const instance = (inputs: object) => ({
  'Instance database': {
    inputs: { instanceClass: 'db.t4g.micro', allocatedStorage: 20, multiAz: false, ...inputs },
  },
})
const priceOf = (resources: RecordedDeclaration['resources'], requests = 0) =>
  toTotal(toBill({ resources }, requests))

describe('a bill depends on the declaration', () => {
  const small = priceOf(instance({}))

  test.each([
    ['a larger class costs more', { instanceClass: 'db.t4g.small' }, 730 * 0.016],
    ['more storage costs more', { allocatedStorage: 120 }, 100 * 0.115],
    ['a second zone costs more', { multiAz: true }, 730 * 0.016 + 20 * 0.115],
  ])('%s', (_, inputs, more) => {
    expect(priceOf(instance(inputs)) - small).toBeCloseTo(more)
  })

  test('a function is priced in proportion to its memory', () => {
    const api = (memorySize: number) => ({ 'Function api': { inputs: { memorySize } } })
    const requests = 1e9
    expect(toBill({ resources: api(1024) }, requests).get('Lambda: time')).toBeCloseTo(
      2 * (toBill({ resources: api(512) }, requests).get('Lambda: time') ?? 0),
    )
  })

  test.each([
    ['every hit', [], 1000],
    [
      'one hit in 100',
      [{ name: 'LOG_SAMPLE', text: '100' }],
      MEDIA.edgeHits * 10 + (1 - MEDIA.edgeHits) * 1000,
    ],
  ])('logs are priced by the share of hits that are logged: %s', (_, bindings, millions) => {
    const resources = { 'WorkersScript script': { inputs: { ...script.inputs, bindings } } }
    const logs = toBill({ resources }, 1e9).get('Workers: logs')
    expect(logs).toBeCloseTo((millions - 20) * 0.6)
  })

  test('each data centre reads the invalidation log at most every two seconds; D1 includes these reads at 10 billion requests', () => {
    const resources = {
      'WorkersKvNamespace kv': { inputs: {} },
      'D1Database invalidations': { inputs: {} },
    }
    const load = (requests: number) =>
      toLoad([{ type: 'D1Database', name: 'invalidations', inputs: {} }], requests)
    expect(load(1e6).logReads).toBeLessThan(1e6)
    const secondsPerMonth = HOURS_PER_MONTH * 3600
    const readsOfDataCentre = secondsPerMonth / INVALIDATION.renewSeconds
    expect(load(1e12).logReads).toBeCloseTo(INVALIDATION.dataCentres * readsOfDataCentre, -6)
    expect(load(1e12).followRuns).toBeCloseTo(secondsPerMonth / INVALIDATION.followSeconds, -3)
    expect(toBill({ resources }, 1e10).get('D1: rows read')).toBe(0)
  })

  test('a cron trigger is priced by its schedule', () => {
    const trigger = (cron: string) => ({
      'WorkersScript script': script,
      'WorkersCronTrigger cron': { inputs: { schedules: [{ cron }] } },
    })
    const requests = 1e7
    const none = priceOf({ 'WorkersScript script': script }, requests)
    expect(priceOf(trigger('* * * * *'), requests) - none).toBeCloseTo(0.0438 * 0.3)
    expect(priceOf(trigger('0 * * * *'), requests) - none).toBeCloseTo(0.00073 * 0.3, 5)
  })
})

async function priceOfStack(stack: Stack, requests: number): Promise<number> {
  const file = new URL(`../../infra/golden/${stack}.json`, import.meta.url)
  const declaration = RecordedDeclaration.parse(JSON.parse(await readFile(file, 'utf8')))
  return toTotal(toBill(declaration, requests))
}

test.each(stacks)('%s costs at most 4,800 dollars at 10 billion requests', async (stack) => {
  expect(await priceOfStack(stack, 1e10)).toBeLessThanOrEqual(4800)
})

test('site-stage costs at most 16 dollars at 1 million requests', async () => {
  expect(await priceOfStack('site-stage', 1e6)).toBeLessThanOrEqual(16)
})

test('included requests cost nothing', () => {
  expect(priceOf({ 'WorkersScript script': script }, 1e6)).toBe(0)
})

test.each([
  ['a type without a price', { 'NatGateway nat': { inputs: {} } }, 'NatGateway has no price'],
  ['a class without a price', instance({ instanceClass: 'db.r8g.48xlarge' }), 'instanceClass'],
])('rejects %s', (_, resources, message) => {
  expect(() => priceOf(resources)).toThrow(message)
})
