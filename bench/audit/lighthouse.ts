import lighthouse, { type Flags } from 'lighthouse'
import { findFreePort } from '../../local/lib/ports.ts'
import { UserError } from '../../local/lib/user-error.ts'
import { openChromium } from '../../local/testing/chromium.ts'
import { type BenchCloud, openCloud } from '../lib/cloud.ts'
import { median } from '../lib/load.ts'
import { type Figure, report } from '../lib/report.ts'

const HOST = 'prod.localhost'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]
type Page = {
  name: string
  path: string
  categories: readonly Category[]
  skipAudits?: string[]
}
/** One run of Lighthouse; `benchmarkIndex` is its estimate of the machine's speed. */
type Run = { scores: Map<Category, number>; benchmarkIndex: number; findings: string[] }

const PAGES: Page[] = [
  { name: 'home', path: '/', categories: CATEGORIES },
  { name: 'article', path: '/the-glacier-that-keeps-a-diary', categories: CATEGORIES },
  { name: 'category', path: '/category/climate', categories: CATEGORIES },
  {
    name: 'not-found',
    path: '/no-such-page',
    categories: ['accessibility', 'best-practices'],
    // The browser logs the page's own status 404 as an error.
    skipAudits: ['errors-in-console'],
  },
]

try {
  report(await measure())
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function measure(): Promise<Figure[]> {
  const port = await findFreePort()
  const browser = await openChromium([`--remote-debugging-port=${port}`])
  const cloud = await openCloud()
  try {
    const figures: Figure[] = []
    for (const page of PAGES) figures.push(...(await measurePage(page, cloud, port)))
    return figures
  } finally {
    await browser.close()
    await cloud.stop()
  }
}

/** Returns Lighthouse's scores of a page on a phone; when one is below 100, the medians of three runs. */
async function measurePage(page: Page, cloud: BenchCloud, port: number): Promise<Figure[]> {
  // Fills the caches.
  await cloud.get(HOST, page.path)
  const url = `${cloud.origin(HOST)}${page.path}`
  const first = await runLighthouse(url, page, port)
  const runs = isPerfect(first)
    ? [first]
    : [first, await runLighthouse(url, page, port), await runLighthouse(url, page, port)]
  for (const finding of new Set(runs.flatMap(({ findings }) => findings)))
    console.error(`${page.name}: ${finding}`)
  return [
    ...page.categories.map((category) => ({
      name: `lighthouse.${page.name}.${category}`,
      value: median(runs.map(({ scores }) => scores.get(category) ?? 0)),
      unit: '',
      goal: { op: '>=', value: 100 } as const,
    })),
    {
      name: `lighthouse.${page.name}.benchmark-index`,
      value: median(runs.map(({ benchmarkIndex }) => benchmarkIndex)),
      unit: '',
    },
  ]
}

function isPerfect({ scores }: Run): boolean {
  return [...scores.values()].every((score) => score === 100)
}

async function runLighthouse(url: string, page: Page, port: number): Promise<Run> {
  const { categories, skipAudits = [] } = page
  const flags: Flags = { port, onlyCategories: [...categories], skipAudits, ignoreStatusCode: true }
  const result = await lighthouse(url, { ...flags, logLevel: 'error', output: 'json' })
  if (!result || result.lhr.runtimeError) {
    throw new Error(`Lighthouse could not measure ${url}: ${result?.lhr.runtimeError?.message}`)
  }
  const { lhr } = result
  const scores = new Map<Category, number>()
  const findings: string[] = []
  for (const category of categories) {
    const { score = 0, auditRefs = [] } = lhr.categories[category] ?? {}
    scores.set(category, Math.round((score ?? 0) * 100))
    for (const { id, weight } of auditRefs) {
      const audit = lhr.audits[id]
      if (!audit || audit.score === null || audit.score >= 0.9 || weight === 0) continue
      findings.push(
        `${category}: ${audit.title}${audit.displayValue ? ` ${audit.displayValue}` : ''}`,
      )
    }
  }
  return { scores, benchmarkIndex: lhr.environment.benchmarkIndex, findings }
}
