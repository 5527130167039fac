import { expect, test } from 'vitest'
import { createEndpoints } from '../app.ts'
import { toOpenApi } from './document.ts'

// The document depends on schemas only, so the database is never read.
const endpoints = createEndpoints({ query: async () => [] })
const document = toOpenApi(endpoints, true)
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }))
const pages = document.paths['/public/v2/sites/{site}/pages/{slug}']?.get
const schemas = document.components.schemas

test('every endpoint is documented', () => {
  expect(Object.keys(document.paths)).toEqual([
    '/public/v2/ping',
    ...['settings', 'pages/{slug}', 'authors/{slug}', 'lists', 'sitemap', 'changes'].map(
      (path) => `/public/v2/sites/{site}/${path}`,
    ),
    '/public/v1/sites/{site}',
  ])
})

test('v1 is documented only when it is enabled', () => {
  const { '/public/v1/sites/{site}': v1, ...others } = document.paths
  expect(v1?.get.responses).toHaveProperty('404')
  expect(v1?.get.deprecated).toBe(true)
  expect(toOpenApi(endpoints, false).paths).toEqual(others)
})

test('parameters have the limits, defaults and values of the contract', () => {
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

test.each(operations)('every parameter of $path is described', ({ get }) => {
  for (const { name, description } of get.parameters ?? []) expect(description, name).toBeTruthy()
})

test.each(['category', 'author_slug', 'related_to', 'q'])(
  'the description of %s names the kind that requires it',
  (name) => {
    const lists = document.paths['/public/v2/sites/{site}/lists']?.get
    const parameter = lists?.parameters?.find((each) => each.name === name)
    expect(parameter?.description).toMatch(/Required when `kind=\w+`/)
  },
)

test('the model of a page allows no additional properties', () => {
  expect(pages?.responses['200']?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/ArticlePage' } },
  })
  expect(schemas.ArticlePage).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: expect.arrayContaining(['body_html']),
  })
})

test.each(Object.entries(schemas))('the model %s has a description and an example', (_, model) => {
  expect(model.description).toBeTruthy()
  expect(model).toHaveProperty('example')
})

test('every reference names a model', () => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) expect(schemas).toHaveProperty(name)
})

test('every status that a page request can have is documented', () => {
  expect(Object.keys(pages?.responses ?? {})).toEqual([
    '200',
    '204',
    '304',
    '400',
    '401',
    '403',
    '404',
    '405',
    '406',
    '431',
    '500',
    '503',
  ])
})
