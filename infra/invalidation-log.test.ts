import { expect, test } from 'vitest'
import { toLocationHint } from './invalidation-log.ts'

test.each([
  ['eu-central-1', 'weur'],
  ['eu-north-1', 'weur'],
  ['us-east-1', 'enam'],
  ['us-gov-east-1', 'enam'],
  ['ca-central-1', 'enam'],
  ['us-west-2', 'wnam'],
  ['sa-east-1', 'enam'],
  ['me-central-1', 'eeur'],
  ['af-south-1', 'weur'],
  ['ap-northeast-1', 'apac'],
  ['ap-southeast-1', 'apac'],
  ['ap-southeast-2', 'oc'],
  ['mars-north-1', undefined],
  [undefined, undefined],
])('the invalidation log of an API in %s is in %s', (region, hint) => {
  expect(toLocationHint(region)).toBe(hint)
})
