import { UserError } from '../../local/lib/user-error.ts'
import { openChromium } from '../../local/testing/chromium.ts'
import { openCloud } from '../lib/cloud.ts'
import { type Figure, report } from '../lib/report.ts'
import { checkAccessibility } from './crawl/accessibility.ts'
import { type CrawlProblem, checkSite, checkSitemaps, type ProblemKind } from './crawl/check.ts'
import { checkMarkup } from './crawl/markup.ts'
import { type Site, walk } from './crawl/walk.ts'

const HOSTS = ['prod.localhost', 'stage.localhost']
/** Largest number of URLs per host, pictures included; the demo has far fewer. */
const MAX_URLS = 5000

const NONE = { op: '<=', value: 0 } as const
/** Names of figures by kind of problem. */
const KINDS = {
  response: 'broken',
  page: 'pages-invalid',
  fragment: 'fragments-broken',
  'json-ld': 'json-ld-invalid',
  hreflang: 'hreflang-invalid',
  feed: 'feeds-invalid',
  sitemap: 'sitemaps-invalid',
} as const satisfies Record<ProblemKind, string>

try {
  report(await crawl())
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function crawl(): Promise<Figure[]> {
  const browser = await openChromium()
  const cloud = await openCloud()
  try {
    const figures: Figure[] = []
    for (const host of HOSTS) {
      const site = await walk(cloud, host, MAX_URLS)
      const sitemaps = await checkSitemaps(site, cloud)
      const problems = [...checkSite(site), ...sitemaps.problems]
      const markup = await checkMarkup(site)
      const accessibility = await checkAccessibility(browser, site, cloud)
      for (const { path, text } of problems) console.error(`${host}${path} ${text}`)
      for (const text of [...markup, ...accessibility.found]) console.error(`${host}${text}`)
      const toFigure = (name: string, value: number): Figure => ({
        name: `crawl.${host.split('.')[0]}.${name}`,
        value,
        unit: '',
      })
      figures.push(
        ...countVisits(site).map(([name, value]) => toFigure(name, value)),
        toFigure('sitemap-urls', sitemaps.urls),
        toFigure('axe-pages', accessibility.pages),
        ...Object.entries(countProblems(problems)).map(([name, value]) => ({
          ...toFigure(name, value),
          goal: NONE,
        })),
        { ...toFigure('html-invalid', markup.length), goal: NONE },
        { ...toFigure('axe-violations', accessibility.found.length), goal: NONE },
      )
    }
    return figures
  } finally {
    await browser.close()
    await cloud.stop()
  }
}

function countVisits(site: Site): [string, number][] {
  const visits = [...site.visits.values()]
  return [
    ['addresses', visits.length],
    ['pages', visits.filter(({ html }) => html).length],
    ['media', visits.filter(({ path }) => path.startsWith('/cmp-media/')).length],
    ['external-links', site.externalLinks.size],
    ['skipped-pages', site.skippedPages],
  ]
}

function countProblems(problems: readonly CrawlProblem[]): Record<string, number> {
  const count = (kind: string) => problems.filter((problem) => problem.kind === kind).length
  return Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [name, count(kind)]))
}
