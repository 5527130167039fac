import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Ask, createFixture, type Fixture, type Instance } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

/** A sentence, the path of the request (`/…` or below site 1), and the expected answer. */
export type Row = [sentence: string, path: string, expected: unknown, ask?: Ask]

export interface ApiUnderTest {
  fixture: Fixture
  api: Instance
  ask(path: string, ask?: Ask): Promise<Response>
}

/** A newsroom and an API over it, for all tests of a file. */
export function useNewsroom(): () => ApiUnderTest {
  let world: ApiUnderTest | undefined
  beforeAll(async () => {
    const fixture = await createFixture()
    await fillNewsroom(fixture)
    const api = fixture.start()
    const toPath = (path: string) => (path.startsWith('/') ? path : `/public/v2/sites/1/${path}`)
    world = { fixture, api, ask: (path, ask) => api.ask(toPath(path), ask) }
  })
  afterAll(() => world?.fixture.close())
  return () => {
    if (!world) throw new Error('the newsroom is not there before the tests begin')
    return world
  }
}

/** One test per row: the answer, as `read` sees it, is what the row expects. */
export function suite(
  name: string,
  world: () => ApiUnderTest,
  read: (response: Response) => unknown,
  rows: Row[],
): void {
  describe(name, () => {
    test.each(rows)('%s: %s', async (_sentence, path, expected, ask) => {
      expect(await read(await world().ask(path, ask))).toEqual(expected)
    })
  })
}

/** Reads a 200 by its schema, and of it what matters. */
export const of =
  <Value>(schema: z.ZodMiniType<Value>, read: (value: Value) => unknown = (value) => value) =>
  async (response: Response): Promise<unknown> => {
    expect(response.status).toBe(200)
    return read(schema.parse(await response.json()))
  }
