import { expect, test } from 'vitest'
import { createEndpoints } from '../app.ts'
import { toDocs } from './docs.ts'
import { toOpenApi } from './document.ts'

// The document is made of schemas alone: no database is asked.
const endpoints = createEndpoints({ query: async () => [] })
const document = toOpenApi(endpoints, true)
const pages = document.paths['/public/v2/sites/{site}/pages/{slug}']?.get

test('every endpoint of the specification is there', () => {
  expect(Object.keys(document.paths)).toEqual([
    '/public/v2/ping',
    ...['settings', 'pages/{slug}', 'authors/{slug}', 'lists', 'sitemap', 'changes'].map(
      (path) => `/public/v2/sites/{site}/${path}`,
    ),
    '/public/v1/sites/{site}',
  ])
})

test('v1 is there only where it is served', () => {
  const { '/public/v1/sites/{site}': v1, ...others } = document.paths
  expect(v1).toBeDefined()
  expect(toOpenApi(endpoints, false).paths).toEqual(others)
})

test('limits and defaults of parameters are those of the contract', () => {
  const limit = pages?.parameters?.find(({ name }) => name === 'related_limit')
  expect(limit).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 50, default: 6 },
  })
  const kind = document.paths['/public/v2/sites/{site}/lists']?.get.parameters?.find(
    ({ name }) => name === 'kind',
  )
  expect(kind).toMatchObject({
    required: true,
    schema: { enum: expect.arrayContaining(['homepage', 'search']) },
  })
})

test('models take no fields beside their own', () => {
  expect(pages?.responses['200']?.content).toMatchObject({
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        required: expect.arrayContaining(['body_html']),
      },
    },
  })
})

test('every answer is described', () => {
  expect(Object.keys(pages?.responses ?? {})).toEqual([
    '200',
    '204',
    '304',
    '400',
    '401',
    '403',
    '404',
    '500',
    '503',
  ])
  expect(document.paths['/public/v1/sites/{site}']?.get.deprecated).toBe(true)
})

test('the reference page names every path and loads nothing', () => {
  const html = toDocs(document)
  for (const path of Object.keys(document.paths)) expect(html).toContain(path)
  expect(html).not.toMatch(/<script|src=|@import|url\(/)
})
