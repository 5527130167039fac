import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture, type Instance, startInstance } from './fixture.ts'
import { fillNewsroom, insertArticle } from './newsroom.ts'
import { createDatabaseProxy } from './proxy.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
})
afterAll(() => fixture.close())

const READS = 1500

test('on two instances, no request after a commit gets content from before it', async () => {
  // Connections with a latency of 5 ms: a query from before the last commit is always in flight.
  const proxies = await Promise.all([
    createDatabaseProxy(fixture.url, 5),
    createDatabaseProxy(fixture.url, 5),
  ])
  await fixture.sql('UPDATE articles SET word_count = 0 WHERE id = 2')
  const instances = proxies.map(({ url }) => startInstance(url))
  const [one, other] = instances as [Instance, Instance]
  const instanceOf = (i: number): Instance => (i % 2 === 0 ? one : other)
  let committed = 0
  let reads = 0
  const tooOld: string[] = []
  const write = async (): Promise<void> => {
    for (let n = 1; reads < READS; n++) {
      await fixture.sql('UPDATE articles SET word_count = $1 WHERE id = 2', [n])
      committed = n
      await setTimeout(Math.random() * 40)
    }
  }
  const read = async (i: number): Promise<void> => {
    for (; reads < READS; reads++) {
      await setTimeout(Math.random() * 10)
      const minimum = committed
      const response = await instanceOf(i).request(
        '/public/v2/sites/alpha/pages/a2?related_limit=0',
      )
      const { word_count } = (await response.json()) as { word_count: number }
      if (word_count < minimum) tooOld.push(`${word_count} after ${minimum}`)
    }
  }
  await Promise.all([write(), ...Array.from({ length: 16 }, (_, i) => read(i))])
  await Promise.all(instances.map((instance) => instance.close()))
  await Promise.all(proxies.map((proxy) => proxy.close()))
  expect(tooOld).toEqual([])
  expect(committed).toBeGreaterThan(20)
})

test('a scheduled article is visible from its instant on, although the instance has cached an earlier response', async () => {
  const api = fixture.start()
  const request = async () =>
    (await (await api.request('/public/v2/sites/alpha/lists?kind=recent&limit=1')).json()) as {
      items: { slug: string }[]
    }
  for (let n = 0; n < 10; n++) {
    const id = await insertArticle(fixture, {
      slug: `timed-${n}`,
      published_at: new Date(Date.now() + 150),
    })
    await request()
    const countPublished = async () =>
      (
        await fixture.sql(
          'SELECT FROM articles WHERE id = $1 AND published_at <= clock_timestamp()',
          [id],
        )
      ).length
    await expect.poll(countPublished, { interval: 5 }).toBe(1)
    expect((await request()).items[0]?.slug).toBe(`timed-${n}`)
  }
})
