import { expect, it } from 'vitest'
import { toLocale, toOpenGraphLocale } from './locale.ts'

it.each([
  ['en', 'en_US'],
  ['de', 'de_DE'],
  ['pt-br', 'pt_BR'],
  ['en-gb', 'en_GB'],
  ['zh-hant', 'zh_TW'],
  ['xx-ab1', 'en_US'],
])('the Open Graph locale of %s is %s', (code, expected) => {
  expect(toOpenGraphLocale(code)).toBe(expected)
})

it('falls back to English for an invalid BCP 47 tag', () => {
  expect(toLocale('en-ab1').baseName).toBe('en')
})
