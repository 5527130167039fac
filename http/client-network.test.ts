import { expect, test } from 'vitest'
import { toClientNetwork } from './client-network.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['unknown', 'unknown'],
])('requests from %s are counted for %s', (address, network) => {
  expect(toClientNetwork(address)).toBe(network)
})
