import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { createFixture, type Fixture, type Instance, type RequestSettings } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

/** A sentence, the path of the request (`/…` or below site 1), and the expected answer. */
export type RequestCase = [
  sentence: string,
  path: string,
  expected: unknown,
  request?: RequestSettings,
]

export interface ApiUnderTest {
  fixture: Fixture
  api: Instance
  request(path: string, request?: RequestSettings): Promise<Response>
}

/** A newsroom and an API over it, for all tests of a file. */
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
    if (!newsroom) throw new Error('the newsroom is not there before the tests begin')
    return newsroom
  }
}

/** One test per row: the answer, as `read` sees it, is what the row expects. */
export function describeRequests(
  name: string,
  newsroom: () => ApiUnderTest,
  read: (response: Response) => unknown,
  rows: RequestCase[],
): void {
  describe(name, () => {
    test.each(rows)('%s: %s', async (_sentence, path, expected, request) => {
      expect(await read(await newsroom().request(path, request))).toEqual(expected)
    })
  })
}

/** Reads a 200 by its schema, and of it what matters. */
export const readBody =
  <Value>(schema: z.ZodMiniType<Value>, read: (value: Value) => unknown = (value) => value) =>
  async (response: Response): Promise<unknown> => {
    expect(response.status).toBe(200)
    return read(schema.parse(await response.json()))
  }
