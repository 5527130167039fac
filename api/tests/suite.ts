import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { createFixture, type Fixture, type Instance, type RequestSettings } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

/** A test title, the path of a request (absolute, or below site 1), and the expected result. */
export type RequestCase = [
  title: string,
  path: string,
  expected: unknown,
  request?: RequestSettings,
]

export interface ApiUnderTest {
  fixture: Fixture
  api: Instance
  request(path: string, request?: RequestSettings): Promise<Response>
}

/** Fills a database by `fillNewsroom` and starts an API for all tests of a file; call the result inside a test. */
export function useNewsroom(): () => ApiUnderTest {
  let newsroom: ApiUnderTest | undefined
  beforeAll(async () => {
    const fixture = await createFixture()
    await fillNewsroom(fixture)
    const api = fixture.start()
    const toPath = (path: string) => (path.startsWith('/') ? path : `/public/v2/sites/1/${path}`)
    newsroom = { fixture, api, request: (path, request) => api.request(toPath(path), request) }
  })
  afterAll(() => newsroom?.fixture.close())
  return () => {
    if (!newsroom)
      throw new Error(
        'The database is not filled yet. Call the result of useNewsroom() inside a test.',
      )
    return newsroom
  }
}

/** Defines one test per row, which expects that `read(response)` equals the expected value of the row. */
export function describeRequests(
  name: string,
  newsroom: () => ApiUnderTest,
  read: (response: Response) => unknown,
  rows: RequestCase[],
): void {
  describe(name, () => {
    test.each(rows)('%s: %s', async (_title, path, expected, request) => {
      expect(await read(await newsroom().request(path, request))).toEqual(expected)
    })
  })
}

/** Creates a function that expects a 200, parses its body by the schema and applies `read` to it. */
export const readBody =
  <Value>(schema: z.ZodMiniType<Value>, read: (value: Value) => unknown = (value) => value) =>
  async (response: Response): Promise<unknown> => {
    expect(response.status).toBe(200)
    return read(schema.parse(await response.json()))
  }
