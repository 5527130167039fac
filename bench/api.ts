import { HEADERS, toArticleUrl, toListUrl } from './lib/api-question.ts'
import { measureSitemap } from './lib/api-sitemap.ts'
import { execute, startDatabase } from './lib/database.ts'
import { type Contender, median, race, type Turn, toRatio } from './lib/load.ts'
import { type Figure, report } from './lib/report.ts'
import { type RunningBaseline, startBaseline } from './peers/api-process.ts'

const ARTICLES = 20_000
const COLD_ARTICLES = 2000
const RACE = { rounds: 3, seconds: 2, connections: 50 }
const NAMES = ['api', 'api-without-cache', 'bare', 'prisma', 'ceiling'] as const
type Name = (typeof NAMES)[number]

const database = await startDatabase(ARTICLES)
const running: RunningBaseline[] = []
try {
  const { url } = database
  const addresses = await startBaselines(url)
  const slugs = await readSlugs(url)
  report([
    ...(await raceHot(addresses, slugs)),
    ...(await raceCold(addresses, slugs)),
    ...(await measureSitemap(url)),
  ])
} finally {
  for (const contender of running) contender.stop()
  await database.stop()
}

async function readSlugs(url: string): Promise<string[]> {
  const rows = await execute<{ slug: string }>(
    url,
    `SELECT slug FROM articles a JOIN sites s ON s.id = site_id WHERE s.acronym = 'harbour' AND language = 'en'
     AND status = 'published' AND published_at < now() AND content_type = 'homepage_article' AND author_id IN (SELECT id FROM authors WHERE active)
     ORDER BY published_at DESC LIMIT ${COLD_ARTICLES}`,
  )
  return rows.map(({ slug }) => slug)
}

async function raceHot(addresses: Record<Name, string>, [slug = '']: string[]): Promise<Figure[]> {
  const figures = []
  for (const [name, path] of [
    ['article', toArticleUrl(slug)],
    ['list', toListUrl(20)],
  ] as const) {
    const contenders = {
      api: await toContender(addresses.api, path),
      bare: await toContender(addresses.bare, path),
      prisma: await toContender(addresses.prisma, path),
      ceiling: await toContender(addresses.ceiling, path),
    }
    await requireSame(contenders, path)
    const turns = await race(contenders, RACE)
    figures.push(
      {
        name: `api.${name}.hot`,
        value: toRatio(turns.api, turns.bare),
        unit: 'x',
        goal: { op: '>=', value: 5 },
      } as const,
      {
        name: `api.${name}.hot.rate`,
        value: median(turns.api.map(({ rate }) => rate)),
        unit: '/s',
      },
      { name: `api.${name}.hot.over-prisma`, value: toRatio(turns.api, turns.prisma), unit: 'x' },
      { name: `api.${name}.hot.of-ceiling`, value: toRatio(turns.api, turns.ceiling), unit: 'x' },
    )
  }
  return figures
}

/** All requests miss the cache: each article in turn, and lists of each length from 10 to 59. */
async function raceCold(addresses: Record<Name, string>, slugs: string[]): Promise<Figure[]> {
  const figures = []
  for (const name of ['article', 'list'] as const) {
    const nextPaths = () => {
      let i = 0
      return () =>
        name === 'article'
          ? toArticleUrl(slugs[i++ % slugs.length] ?? '')
          : toListUrl(10 + (i++ % 50))
    }
    const turns = await race(
      {
        api: {
          url: addresses['api-without-cache'],
          headers: HEADERS,
          nextPath: nextPaths(),
          expects: { status: 200 },
        },
        bare: {
          url: addresses.bare,
          headers: HEADERS,
          nextPath: nextPaths(),
          expects: { status: 200 },
        },
      },
      { ...RACE, measureCpu },
    )
    const toCpu = (measured: Turn[]): number => median(measured.map(({ cpuUs }) => cpuUs))
    figures.push(
      {
        name: `api.${name}.miss`,
        value: toRatio(turns.api, turns.bare),
        unit: 'x',
        goal: { op: '>=', value: 0.8 },
      } as const,
      { name: `api.${name}.miss.cpu`, value: toCpu(turns.api), unit: 'us' },
      { name: `api.${name}.miss.cpu-of-bare`, value: toCpu(turns.bare), unit: 'us' },
    )
  }
  return figures
}

/** CPU time of all contenders: those without requests use almost none. */
async function measureCpu(): Promise<number> {
  const used = await Promise.all(running.map((contender) => contender.readCpu()))
  return used.reduce((sum, each) => sum + each, 0)
}

async function toContender(address: string, path: string): Promise<Contender> {
  const response = await fetch(`${address}${path}`, { headers: HEADERS })
  const body = Buffer.from(await response.arrayBuffer())
  return {
    url: `${address}${path}`,
    headers: HEADERS,
    nextPath: () => path,
    expects: { status: 200, body },
  }
}

/** Checks that all contenders respond with the same JSON, apart from cursors. */
async function requireSame(contenders: Record<string, Contender>, path: string): Promise<void> {
  const bodies = Object.values(contenders).map(({ expects }) => toComparable(String(expects.body)))
  if (new Set(bodies).size !== 1) throw new Error(`the contenders differ at ${path}`)
}

function toComparable(body: string): string {
  const { next_cursor: _, ...answer } = JSON.parse(body)
  return JSON.stringify(answer)
}

async function startBaselines(url: string): Promise<Record<Name, string>> {
  const started = NAMES.map(async (name) => {
    const contender = await startBaseline(name, url)
    running.push(contender)
    return [name, contender.address] as const
  })
  return Object.fromEntries(await Promise.all(started)) as Record<Name, string>
}
