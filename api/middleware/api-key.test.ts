import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyCheck, createSecretCheck } from './api-key.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const DIGESTS = [digest('first'), digest('second')]

test.each([
  ['Bearer first', true],
  ['bearer second', true],
  ['Bearer third', false],
  ['Bearer ', false],
  ['first', false],
  ['Basic first', false],
  [undefined, false],
])('the Authorization %j is valid: %s', (header, isValid) => {
  const check = () => createKeyCheck(DIGESTS)(header)
  if (isValid) expect(check).not.toThrow()
  else expect(check).toThrow('A valid API key is required')
})

test('a key check without digests cannot be created', () => {
  expect(() => createKeyCheck([])).toThrow('CMS_API_KEY_DIGESTS')
})

test('without digests no secret is valid', () => {
  expect(createSecretCheck([])('')).toBe(false)
})
