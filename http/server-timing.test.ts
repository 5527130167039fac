import { expect, test } from 'vitest'
import { toServerTiming } from './server-timing.ts'

test.each([
  [[{ name: 'store', duration: 12.345 }, { name: 'total' }], 'store;dur=12.3, total'],
  [[{ name: 'a b', duration: 0, description: 'x"\n' }], 'a_b;dur=0;desc="x\\"?"'],
  [[], ''],
])('the Server-Timing of %j is %j', (timings, expected) => {
  expect(toServerTiming(timings)).toBe(expected)
})
