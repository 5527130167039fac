import { expect, test } from 'vitest'
import { guessMediaType, parseMediaType } from './media-type.ts'

test.each([
  ['image/png', 'image/png', ''],
  ['Text/HTML; charset=utf-8', 'text/html', '; charset=utf-8'],
  ['text/html, image/png', '', ''],
  ['', '', ''],
])('%j has the type %j and the parameters %j', (value, essence, parameters) => {
  expect(parseMediaType(value)).toEqual({ essence, parameters })
})

test.each([
  ['a.JPG', 'image/jpeg'],
  ['a.svg', 'image/svg+xml'],
  ['a', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
])('%s is guessed to be %s', (name, type) => {
  expect(guessMediaType(name)).toBe(type)
})
