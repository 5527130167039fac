import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { ArticlePage } from '../../contract/article.ts'
import { ListResponse } from '../../contract/list.ts'
import { SitemapResponse } from '../../contract/sitemap.ts'
import { createSeededDatabase } from '../../demo/test-database.ts'
import { createPrismaClient } from '../../prisma/client.ts'
import type { PrismaClient } from '../../prisma/generated/client.ts'
import type { TestDatabase } from '../../prisma/test-database.ts'
import { createSiteResolver, type SiteState } from '../site/resolve.ts'
import { type Instance, startInstance } from './fixture.ts'
import { createOracle } from './oracle.ts'

let seeded: TestDatabase
let api: Instance
let site: SiteState
let prisma: PrismaClient
let oracle: ReturnType<typeof createOracle>

beforeAll(async () => {
  seeded = await createSeededDatabase()
  api = startInstance(seeded.url)
  site = await createSiteResolver(api.database.query)('harbour')
  prisma = createPrismaClient(seeded.url)
  oracle = createOracle(prisma, site)
})
afterAll(async () => {
  await prisma.$disconnect()
  await api.close()
  await seeded.drop()
})

const request = async <Value>(schema: z.ZodMiniType<Value>, path: string): Promise<Value> =>
  schema.parse(await (await api.request(`/public/v2/sites/harbour/${path}`)).json())

/** Returns all items of a list, read in pages of seven. */
async function readAllPages(path: string): Promise<unknown[]> {
  const items: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: ListResponse = await request(
      ListResponse,
      `${path}&limit=7${cursor && `&cursor=${cursor}`}`,
    )
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

test('every article page equals the one computed with Prisma', async () => {
  const articles = await oracle.recent()
  expect(articles.length).toBeGreaterThan(5)
  for (const { slug, language } of articles)
    expect(await request(ArticlePage, `pages/${slug}?language=${language}`)).toEqual(
      await oracle.page(slug, language),
    )
})

test('every list equals the one computed with Prisma', async () => {
  const [first] = await oracle.recent()
  const { slug = '', language = '', category, author } = first ?? {}
  const day = new Date(first?.published_at ?? 0)
  const month = {
    gte: new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth())),
    lt: new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1)),
  }
  const lists: [string, Promise<unknown[]>][] = [
    ['recent', oracle.recent()],
    ['recent&language=de', oracle.recent({ language: 'de' })],
    [`recent&month=${first?.published_at.slice(0, 7)}`, oracle.recent({ publishedAt: month })],
    ['featured', oracle.featured()],
    ['homepage', oracle.homepage()],
    ['trending', oracle.trending()],
    [`category&category=${category?.slug}`, oracle.category(category?.slug ?? '')],
    [`author&author_slug=${author?.slug}`, oracle.author(author?.slug ?? '')],
    [`related&related_to=${slug}&language=${language}`, oracle.related(slug, language)],
    ['search&q=THE', oracle.search('the')],
    ['search&q=%25', oracle.search('%')],
  ]
  for (const [query, expected] of lists)
    expect(await readAllPages(`lists?kind=${query}`), query).toEqual(await expected)
})

test('the sitemap equals the one computed with Prisma', async () => {
  expect((await request(SitemapResponse, 'sitemap')).urls).toEqual(await oracle.sitemap())
})
