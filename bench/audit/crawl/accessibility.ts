import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import type { BenchCloud } from '../../lib/cloud.ts'
import type { Site } from './walk.ts'

const PAGES_PER_TYPE = 2
const SCHEMES = ['light', 'dark'] as const
const PHONE_VIEWPORT = { width: 390, height: 844 }
const DESKTOP_VIEWPORT = { width: 1440, height: 900 }

/**
 * Returns the number of checked pages, and axe's violations on them: up to two pages of every type and a missing
 * page, in light mode on a phone and in dark mode on a desktop.
 */
export async function checkAccessibility(
  browser: Browser,
  site: Site,
  cloud: BenchCloud,
): Promise<{ pages: number; found: string[] }> {
  const paths = [...choosePages(site), '/no-such-page']
  const found: string[] = []
  for (const colorScheme of SCHEMES) {
    const viewport = colorScheme === 'light' ? PHONE_VIEWPORT : DESKTOP_VIEWPORT
    const context = await browser.newContext({ colorScheme, viewport })
    const page = await context.newPage()
    for (const path of paths) {
      await page.goto(cloud.origin(site.host) + path)
      await page.evaluate(axe.source)
      const violations = await page.evaluate(async () => {
        const axe = (globalThis as unknown as { axe: typeof import('axe-core') }).axe
        const { violations } = await axe.run()
        return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
      })
      found.push(...violations.map((violation) => `${path} (${colorScheme}) ${violation}`))
    }
    await context.close()
  }
  return { pages: paths.length * SCHEMES.length, found }
}

function choosePages({ visits }: Site): string[] {
  const pages = [...visits.values()].filter(({ html }) => html)
  const byType = Map.groupBy(pages, ({ html }) => html?.type)
  return [...byType.values()].flatMap((each) =>
    each.slice(0, PAGES_PER_TYPE).map(({ path }) => path),
  )
}
