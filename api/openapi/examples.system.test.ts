import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../demo/instant.ts'
import { createSeededDatabase, SEEDED_ON } from '../../demo/test-database.ts'
import { type Instance, startInstance } from '../tests/fixture.ts'
import { isValid } from './models.ts'

type Json = Record<string, unknown>

let instance: Instance
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createSeededDatabase()
  drop = database.drop
  await deleteScheduledArticles(database.url)
  instance = startInstance(database.url)
})
afterAll(async () => {
  await instance.close()
  await drop()
})

// From its publication on, a scheduled article would be the first of every list and change the examples.
async function deleteScheduledArticles(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('DELETE FROM articles WHERE published_at >= $1', [addDays(SEEDED_ON, 1)])
  await client.end()
}

async function read(path: string): Promise<Json> {
  const response = await instance.request(path)
  return (await response.json()) as Json
}

/** Fixed values for fields that differ between databases. */
const FIXED: Json = {
  next_cursor: 'kq3S9xOMQ0iu4ByhZid6lw',
  restore_id: '9f86d081884c7d65',
  revision: '3.2',
}

// Long texts and lists are shortened, since an example only shows the shape.
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shorten)
  if (typeof value === 'string') return value.length > 160 ? `${value.slice(0, 157)}...` : value
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [key, FIXED[key] ?? shorten(each)])
  return Object.fromEntries(entries)
}

const first = (list: unknown): unknown => (list as unknown[])[0]

/** Returns an example of each model by name: responses of the API with the demo's content, or parts of them. */
async function readExamples(): Promise<Json> {
  const site = '/public/v2/sites/harbour'
  const [bundle, page, author, list, sitemap, changes, identity, ping, problem] = await Promise.all(
    [
      `${site}/settings`,
      `${site}/pages/harbour-plan-2040-what-is-in-it`,
      `${site}/authors/${AUTHOR}`,
      `${site}/lists?kind=recent&limit=2`,
      `${site}/sitemap?limit=2`,
      `${site}/changes`,
      '/public/v1/sites/harbour',
      '/public/v2/ping',
      `${site}/lists?kind=category`,
    ].map(read),
  )
  const settings = bundle?.site_settings as Json
  const { author: profile, seo } = author as Json
  const { slug, language, category, author: byline, published_at } = page as Json
  const state = {
    slug,
    language,
    category_slug: (category as Json).slug,
    author_slug: (byline as Json).slug,
    month: String(published_at).slice(0, 7),
  }
  const change = { id: page?.id, before: null, after: state, related: [], alternates: [] }
  return {
    ArticleChange: change,
    ArticlePage: page,
    ArticleState: state,
    AuthorCard: (first(list?.items) as Json).author,
    AuthorProfile: author,
    AuthorSlice: profile,
    Breadcrumb: first(page?.breadcrumbs),
    CategoryRef: category,
    ChangesResponse: { ...changes, articles: [change] },
    Image: page?.image,
    Instant: published_at,
    Language: first(settings.languages),
    LightCategory: first(settings.categories),
    ListItem: first(list?.items),
    ListResponse: list,
    NavigationItem: first(settings.navigation),
    PersonSeo: (seo as Json).person,
    Ping: { ...ping, time: '2026-11-20T00:00:00.000Z' },
    Problem: { ...problem, request_id: '0b8a7c52-6f0d-4d3e-9a55-1d9f2f6f7a10' },
    ResolvedTemplate: first(settings.templates),
    SettingsBundle: bundle,
    SiteIdentity: identity,
    SiteSettingsBlob: settings,
    SitemapResponse: sitemap,
    SitemapUrl: first(sitemap?.urls),
    SocialLink: first(settings.social_links),
    StaticPage: first(sitemap?.static_pages),
  }
}

const AUTHOR = 'ingrid-solberg'

test('the examples of the document are responses with the content of the demo', async () => {
  const examples = shorten(await readExamples()) as Json
  const text = `${JSON.stringify(examples, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('examples.json')
  for (const [name, example] of Object.entries(examples))
    expect(isValid(name, example), name).toBe(true)
})
