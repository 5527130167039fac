import { describe, expect, test } from 'vitest'
import { stacks } from '../../infra/environments.ts'
import { type Declaration, toBill, toTotal } from './bill.ts'
import { makePage } from './index.ts'

test('the page tells of every stack what it costs at every volume', async () => {
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
const priceOf = (resources: Declaration['resources'], requests = 0) =>
  toTotal(toBill({ resources }, requests))

describe('a bill follows the declaration', () => {
  const small = priceOf(instance({}))

  test.each([
    ['a larger class', { instanceClass: 'db.t4g.small' }, 730 * 0.016],
    ['more storage', { allocatedStorage: 120 }, 100 * 0.115],
    ['a second zone', { multiAz: true }, 730 * 0.016 + 20 * 0.115],
  ])('%s', (_, inputs, more) => {
    expect(priceOf(instance(inputs)) - small).toBeCloseTo(more)
  })

  test('a function by its memory', () => {
    const api = (memorySize: number) => ({ 'Function api': { inputs: { memorySize } } })
    const requests = 1e9
    expect(toBill({ resources: api(1024) }, requests).get('Lambda: time')).toBeCloseTo(
      2 * (toBill({ resources: api(512) }, requests).get('Lambda: time') ?? 0),
    )
  })

  test('logs by their sampling rate', () => {
    const sampled = (headSamplingRate: number) =>
      toBill(
        {
          resources: {
            'WorkersScript script': { inputs: { observability: { headSamplingRate } } },
          },
        },
        1e9,
      )
    expect(sampled(1).get('Workers: logs')).toBeCloseTo((1000 - 20) * 0.6)
    expect(sampled(0.1).get('Workers: logs')).toBeCloseTo((100 - 20) * 0.6)
  })

  test('a cron trigger by its schedule', () => {
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

test('what is included costs nothing', () => {
  expect(priceOf({ 'WorkersScript script': script }, 1e6)).toBe(0)
})

test.each([
  ['a type without a price', { 'NatGateway nat': { inputs: {} } }, 'NatGateway has no price'],
  ['a class without a price', instance({ instanceClass: 'db.r8g.48xlarge' }), 'instanceClass'],
])('refuses %s', (_, resources, message) => {
  expect(() => priceOf(resources)).toThrow(message)
})
