import { HEADERS, toArticlePath, toListPath } from './lib/api-requests.ts'
import { measureSitemap } from './lib/api-sitemap.ts'
import { execute, startDatabase } from './lib/database.ts'
import { compareLoad, type LoadResult, type LoadTarget, median, toRatio } from './lib/load.ts'
import { type Figure, report } from './lib/report.ts'
import { type BaselineServer, startServer } from './peers/api-process.ts'

const ARTICLES = 20_000
/** Articles that `measureMisses` requests one after the other. */
const MISSED_ARTICLES = 2000
const LOAD = { rounds: 3, seconds: 2, connections: 50 }
/** Servers of peers/api-baselines.ts. */
const NAMES = ['api', 'api-without-cache', 'bare', 'prisma', 'ceiling'] as const
type Name = (typeof NAMES)[number]

const database = await startDatabase(ARTICLES)
const running: BaselineServer[] = []
try {
  const addresses = await startServers(database.url)
  const slugs = await readSlugs(database.url)
  report([
    ...(await measureHits(addresses, slugs)),
    ...(await measureMisses(addresses, slugs)),
    ...(await measureSitemap(database.url)),
  ])
} finally {
  for (const server of running) server.stop()
  await database.stop()
}

async function readSlugs(databaseUrl: string): Promise<string[]> {
  const rows = await execute<{ slug: string }>(
    databaseUrl,
    `SELECT slug FROM articles a JOIN sites s ON s.id = site_id WHERE s.acronym = 'harbour' AND language = 'en'
     AND status = 'published' AND published_at < now() AND content_type = 'homepage_article' AND author_id IN (SELECT id FROM authors WHERE active)
     ORDER BY published_at DESC LIMIT ${MISSED_ARTICLES}`,
  )
  return rows.map(({ slug }) => slug)
}

async function measureHits(
  addresses: Record<Name, string>,
  [slug = '']: string[],
): Promise<Figure[]> {
  const figures = []
  for (const [name, path] of [
    ['article', toArticlePath(slug)],
    ['list', toListPath(20)],
  ] as const) {
    const targets = {
      api: await toTarget(addresses.api, path),
      bare: await toTarget(addresses.bare, path),
      prisma: await toTarget(addresses.prisma, path),
      ceiling: await toTarget(addresses.ceiling, path),
    }
    await requireSameBodies(targets, path)
    const results = await compareLoad(targets, LOAD)
    figures.push(
      {
        name: `api.${name}.hot`,
        value: toRatio(results.api, results.bare),
        unit: 'x',
        goal: { op: '>=', value: 5 },
      } as const,
      {
        name: `api.${name}.hot.rate`,
        value: median(results.api.map(({ rate }) => rate)),
        unit: '/s',
      },
      {
        name: `api.${name}.hot.over-prisma`,
        value: toRatio(results.api, results.prisma),
        unit: 'x',
      },
      {
        name: `api.${name}.hot.of-ceiling`,
        value: toRatio(results.api, results.ceiling),
        unit: 'x',
      },
    )
  }
  return figures
}

/** Measures responses without a cache: one article after another, and lists of 10 to 59 articles. */
async function measureMisses(addresses: Record<Name, string>, slugs: string[]): Promise<Figure[]> {
  const figures = []
  for (const name of ['article', 'list'] as const) {
    const createPathSequence = () => {
      let next = 0
      return () =>
        name === 'article'
          ? toArticlePath(slugs[next++ % slugs.length] ?? '')
          : toListPath(10 + (next++ % 50))
    }
    const results = await compareLoad(
      {
        api: {
          url: addresses['api-without-cache'],
          headers: HEADERS,
          nextPath: createPathSequence(),
          expects: { status: 200 },
        },
        bare: {
          url: addresses.bare,
          headers: HEADERS,
          nextPath: createPathSequence(),
          expects: { status: 200 },
        },
      },
      { ...LOAD, measureCpu },
    )
    const toCpu = (measured: LoadResult[]): number => median(measured.map(({ cpuUs }) => cpuUs))
    figures.push(
      {
        name: `api.${name}.miss`,
        value: toRatio(results.api, results.bare),
        unit: 'x',
        goal: { op: '>=', value: 0.8 },
      } as const,
      { name: `api.${name}.miss.cpu`, value: toCpu(results.api), unit: 'us' },
      { name: `api.${name}.miss.cpu-of-bare`, value: toCpu(results.bare), unit: 'us' },
    )
  }
  return figures
}

/** Returns the CPU time of all servers so far, in microseconds. Servers without requests use almost none. */
async function measureCpu(): Promise<number> {
  const used = await Promise.all(running.map((server) => server.readCpu()))
  return used.reduce((sum, each) => sum + each, 0)
}

async function toTarget(address: string, path: string): Promise<LoadTarget> {
  const response = await fetch(`${address}${path}`, { headers: HEADERS })
  const body = Buffer.from(await response.arrayBuffer())
  return {
    url: `${address}${path}`,
    headers: HEADERS,
    nextPath: () => path,
    expects: { status: 200, body },
  }
}

/** @throws Error when the targets' JSON differs in more than `next_cursor` */
async function requireSameBodies(targets: Record<string, LoadTarget>, path: string): Promise<void> {
  const bodies = Object.values(targets).map(({ expects }) => toComparable(String(expects.body)))
  if (new Set(bodies).size !== 1) throw new Error(`The servers respond differently at ${path}.`)
}

function toComparable(body: string): string {
  const { next_cursor: _, ...content } = JSON.parse(body)
  return JSON.stringify(content)
}

async function startServers(databaseUrl: string): Promise<Record<Name, string>> {
  const started = NAMES.map(async (name) => {
    const server = await startServer(name, databaseUrl)
    running.push(server)
    return [name, server.address] as const
  })
  return Object.fromEntries(await Promise.all(started)) as Record<Name, string>
}
