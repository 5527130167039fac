import { expect, test } from 'vitest'
import { environments, findEnvironment, stacks } from './environments.ts'

test('an environment is found only by the name of its stack', () => {
  for (const stack of stacks) expect(findEnvironment(stack), stack).toBe(environments[stack])
  for (const name of ['site-test', '', 'toString', '__proto__']) {
    expect(findEnvironment(name), name).toBeUndefined()
  }
})

test('each tier has a different network', () => {
  const networks = [...new Set(Object.values(environments).map(({ tier }) => tier))].map(
    ({ networkCidr }) => networkCidr,
  )
  expect(new Set(networks).size).toBe(networks.length)
})
