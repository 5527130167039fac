import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture } from './testing/fixture.ts'
import { fillNewsroom, insertArticle } from './testing/newsroom.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
})
afterAll(() => fixture.close())

const READS = 1500

test('two instances show every commit to whoever asks after it', async () => {
  const instances = [fixture.start(), fixture.start()]
  let committed = 0
  let reads = 0
  const stale: string[] = []
  const write = async (): Promise<void> => {
    for (let n = 1; reads < READS; n++) {
      await fixture.sql('UPDATE articles SET word_count = $1 * 220 WHERE id = 2', [n])
      committed = n
    }
  }
  const read = async (i: number): Promise<void> => {
    for (; reads < READS; reads++) {
      const floor = committed
      const response = await instances[i % 2]?.ask(
        '/public/v2/sites/alpha/pages/a2?related_limit=0',
      )
      const { word_count } = (await response?.json()) as { word_count: number }
      if (word_count < floor * 220) stale.push(`${word_count / 220} after ${floor}`)
    }
  }
  await Promise.all([write(), ...Array.from({ length: 8 }, (_, i) => read(i))])
  expect(stale).toEqual([])
  expect(committed).toBeGreaterThan(50)
})

test('what time alone makes visible is seen at once, by an instance that has kept the answer before', async () => {
  const api = fixture.start()
  const ask = async () =>
    (await (await api.ask('/public/v2/sites/alpha/lists?kind=recent&limit=1')).json()) as {
      items: { slug: string }[]
    }
  for (let n = 0; n < 10; n++) {
    const id = await insertArticle(fixture, {
      slug: `timed-${n}`,
      published_at: new Date(Date.now() + 150),
    })
    expect((await ask()).items[0]?.slug).not.toBe(`timed-${n}`)
    const hasPassed = async () =>
      (
        await fixture.sql(
          'SELECT FROM articles WHERE id = $1 AND published_at <= clock_timestamp()',
          [id],
        )
      ).length
    await expect.poll(hasPassed, { interval: 5 }).toBe(1)
    expect((await ask()).items[0]?.slug).toBe(`timed-${n}`)
  }
})
