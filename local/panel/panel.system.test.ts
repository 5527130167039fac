import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, NO_CHROMIUM, openChromium } from '../testing/chromium.ts'
import { copyProject, type Project, type RunningCloud, startProject } from '../testing/project.ts'

const HOST = 'stage.localhost'
// A fault restarts the edge, and a worker caches an API failure for ten seconds.
const SOON = { timeout: 30_000 }
let project: Project
let cloud: RunningCloud
let browser: Awaited<ReturnType<typeof openChromium>>
let page: Page
const consoleErrors: string[] = []

describe.skipIf(!findChromium())(`the panel${findChromium() ? '' : `: ${NO_CHROMIUM}`}`, () => {
  beforeAll(async () => {
    project = await copyProject()
    cloud = await startProject(project, ['--env', 'site-stage', 'media-stage'])
    browser = await openChromium()
    page = await browser.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    await cloud.get(HOST, '/')
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await cloud?.interrupt('SIGKILL')
    await project?.remove()
  })

  const open = (query = '') => page.goto(`http://localhost:${cloud.port}/${query}`)
  const section = (name: string) => page.getByRole('region', { name, exact: true })

  /** Clicks an action's button, and returns the message that follows. */
  async function click(button: string | RegExp): Promise<string> {
    await page.getByRole('button', { name: button }).click()
    return page.locator('.notice').first().innerText()
  }

  test('shows each environment with its bindings, and no secret', async () => {
    await open()
    const card = section('Environments').getByRole('article').filter({ hasText: 'site-stage' })
    await card.getByText(/\d+ bindings/).click()
    const bindings = await card.innerText()
    expect(bindings).toMatch(/ADMIN_PURGE_SECRET\s+secret_text\s+secret/)
    expect(bindings).toMatch(/CMS_SITE_ID\s+plain_text\s+harbour/)
    expect(await page.content()).not.toContain(cloud.env.SITE_STAGE_ADMIN_PURGE_SECRET)
  })

  test('shows the worker that handles a URL, and the matching pattern', async () => {
    await open()
    await page.getByLabel('Which worker handles this URL?').fill(`http://${HOST}/cmp-media/a.jpg`)
    await page.getByRole('button', { name: 'Try' }).click()
    const result = await page.locator('.result').innerText()
    expect(result).toContain('cms-edge-media-stage handles it')
    expect(result).toContain(`Route ${HOST}/cmp-media/*`)
  })

  test('shows a request with its layer and cache status', async () => {
    await cloud.get(HOST, '/')
    await open()
    const row = section('Requests').getByRole('row').filter({ hasText: HOST }).first()
    await expect.poll(() => row.innerText()).toMatch(/200\s+edge\s+hit/)
  })

  test('shows cached pages with the verdict of the worker', async () => {
    await open(`?host=${HOST}`)
    const row = section('Cache')
      .getByRole('row')
      .filter({ hasText: /^\s*\/\s/ })
      .first()
    expect(await row.innerText()).toMatch(/fresh|stale|outdated/)
  })

  test('purges a page, which appears in the invalidation log', async () => {
    await open()
    await page.locator('#purge-path').fill('/a-page-to-purge')
    expect(await click('Purge')).toContain('/a-page-to-purge: 200')
    await open(`?host=${HOST}`)
    expect(await section('Cache').innerText()).toMatch(/purge\s+\/a-page-to-purge/)
  })

  test('runs the cron on request', async () => {
    await open()
    expect(await click('Run the cron now')).toContain('ran')
  })

  test('opens a preview, which is not cached', async () => {
    await open()
    const previewed = page.waitForResponse((response) => response.url().includes('_preview='))
    await page.getByRole('button', { name: 'Open preview' }).click()
    const response = await previewed
    expect(response.status()).toBe(200)
    expect(response.headers()['cache-control']).toContain('no-store')
  })

  test('serves cached pages while the read API is down', async () => {
    await open()
    expect(await click('Inject: Read API down')).toContain('Injected: Read API down')
    const status = async (path: string) => (await cloud.get(HOST, path)).status
    // Each request has another path, since a 404 is cached too.
    let tries = 0
    const statusOfNewPath = () => status(`/missing-${tries++}`)
    await expect.poll(statusOfNewPath, SOON).toBe(503)
    expect(await status('/')).toBe(200)
    expect(await click('Clear: Read API down')).toContain('Cleared')
    await expect.poll(statusOfNewPath, SOON).toBe(404)
  })

  test('rejects an action from another page, and is not served on another host', async () => {
    const forged = await fetch(`http://127.0.0.1:${cloud.port}/actions/cron`, {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
    })
    expect(forged.status).toBe(403)
    expect((await cloud.get('evil.example', '/')).status).toBe(404)
  })

  test.each(['light', 'dark'] as const)(
    'has no accessibility violation in %s mode',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await open()
      await page.evaluate(axe.source)
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      })
      expect(violations).toEqual([])
    },
  )

  test('every action can be reached by keyboard', async () => {
    await open()
    const reached = new Set<string>()
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab')
      reached.add(String(await page.evaluate('document.activeElement?.textContent?.trim()')))
    }
    for (const button of ['Try', 'Show', 'Purge', 'Open preview', 'Run the cron now'])
      expect([...reached]).toContain(button)
    expect([...reached].filter((each) => each.startsWith('Inject: '))).toHaveLength(6)
  })

  test('the browser logged no error', () => {
    expect(consoleErrors).toEqual([])
  })
})
