import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import type { Cloud } from '../../lib/cloud.ts'
import type { Site } from './walk.ts'

const EACH_TYPE = 2
const SCHEMES = ['light', 'dark'] as const
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

/** axe's violations on some pages of every type, and on one that is not there; in light and dark. */
export async function checkAccessibility(
  browser: Browser,
  site: Site,
  cloud: Cloud,
): Promise<{ pages: number; found: string[] }> {
  const paths = [...chooseEachType(site), '/no-such-page']
  const found: string[] = []
  for (const colorScheme of SCHEMES) {
    const viewport = colorScheme === 'light' ? PHONE : DESK
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

function chooseEachType({ visits }: Site): string[] {
  const pages = [...visits.values()].filter(({ html }) => html)
  const byType = Map.groupBy(pages, ({ html }) => html?.type)
  return [...byType.values()].flatMap((each) => each.slice(0, EACH_TYPE).map(({ path }) => path))
}
