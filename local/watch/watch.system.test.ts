import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestLocal } from '../lib/local-request.ts'
import { EDITS } from '../testing/edits.ts'
import { copyProject, type Project, type RunningCloud, startProject } from '../testing/project.ts'
import { EVENTS_PATH } from './reload-script.ts'

const SOON = { timeout: 40_000, interval: 50 }
let project: Project
let cloud: RunningCloud

beforeAll(async () => {
  project = await copyProject()
  cloud = await startProject(project, ['--watch'])
}, 240_000)
afterAll(async () => {
  await cloud.interrupt()
  await project.remove()
})

/** Changes a file while `use` runs, and restores it afterwards. */
async function withChange(
  file: string,
  change: (content: string) => string,
  use: () => Promise<void>,
): Promise<void> {
  const path = join(project.folder, file)
  const before = await readFile(path, 'utf8')
  await writeFile(path, change(before))
  await use().finally(() => writeFile(path, before))
}

/** Returns the headers and the body of a response as one text. */
async function fetchText(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${cloud.env.SITE_STAGE_CMS_API_KEY}` }
  const response = await requestLocal(url, { headers })
  return JSON.stringify(response.headers) + response.body
}

const fetchPanel = () => fetchText(`http://localhost:${cloud.port}/`)
const fetchHome = () => fetchText(`http://stage.localhost:${cloud.port}/`)

describe('a saved file is served', { timeout: 120_000 }, () => {
  it.each(EDITS)('$name: $file', async (edit) => {
    const path = join(project.folder, edit.file)
    const before = await readFile(path, 'utf8')
    const { content, shows } = edit.change(before, 'mark-of-the-test')
    await writeFile(path, content)
    await expect.poll(() => fetchText(edit.toUrl(cloud)), SOON).toContain(shows)
    await writeFile(path, before)
    await expect.poll(() => fetchText(edit.toUrl(cloud)), SOON).not.toContain(shows)
  })
})

describe('demo content', { timeout: 120_000 }, () => {
  it('of a new file is served, and gone when the file is deleted', async () => {
    const path = join(project.folder, 'demo/content/harbour/articles/a-new-article.en.md')
    const url = `http://stage.localhost:${cloud.port}/a-new-article`
    await writeFile(path, '---\ntitle: A new article\ndescription: It is new.\n---\nText.\n')
    await expect.poll(() => fetchText(url), SOON).toContain('A new article')
    await rm(path)
    await expect.poll(() => requestLocal(url), SOON).toMatchObject({ status: 410 })
  })
})

describe('an error', { timeout: 120_000 }, () => {
  it.each([
    ['workers/site/decide.ts', 'export const = 1', /workers\/site\/decide\.ts:\d+: /],
    ['api/app.ts', 'export const = 1', /api\/app\.ts:\d+: /],
    ['api/env.ts', 'throw new Error("no start")', /api\/env\.ts:\d+: Error: no start/],
    ['themes/templates/harbour/layout/home.liquid', '{% if %}', /layout\/home\.liquid:\d+: /],
    ['infra/site.ts', 'export const = 1', /infra\/site\.ts/],
    ['Pulumi.site-stage.yaml', '  : {', /Pulumi\.site-stage\.yaml is not a valid stack file/],
  ])(
    'in %s is shown on the panel, and the last working version is still served',
    async (file, wrong, message) => {
      const before = await fetchHome()
      await withChange(
        file,
        (content) => `${content}\n${wrong}\n`,
        async () => {
          await expect.poll(fetchPanel, SOON).toMatch(message)
          expect((await fetchHome()).length).toBeGreaterThan(before.length / 2)
          const { status } = await requestLocal(`http://stage.localhost:${cloud.port}/imprint`)
          expect(status).toBe(200)
        },
      )
      await expect.poll(fetchPanel, SOON).not.toMatch(message)
    },
  )

  it('in one of two files that are saved together delays the other only until it is corrected', async () => {
    const partial = EDITS.find(({ name }) => name === 'template.partial')
    if (!partial) throw new Error('There is no edit of a partial template.')
    const path = join(project.folder, partial.file)
    const before = await readFile(path, 'utf8')
    const { content, shows } = partial.change(before, 'mark-beside-an-error')
    await withChange(
      'themes/templates/harbour/layout/home.liquid',
      () => '{% if %}',
      async () => {
        await writeFile(path, content)
        await expect.poll(fetchPanel, SOON).toMatch(/layout\/home\.liquid:\d+: /)
      },
    )
    await expect.poll(() => fetchText(partial.toUrl(cloud)), SOON).toContain(shows)
    await expect.poll(fetchPanel, SOON).not.toMatch(/layout\/home\.liquid:\d+: /)
    await writeFile(path, before)
    await expect.poll(() => fetchText(partial.toUrl(cloud)), SOON).not.toContain(shows)
  })
})

describe('a page', () => {
  it('contains only the reload script, which its policy allows', async () => {
    const { headers, body } = await requestLocal(`http://stage.localhost:${cloud.port}/`)
    const scripts = body.toString().match(/<script(?![^>]*ld\+json)[^>]*>/g)
    expect(scripts).toEqual(['<script>'])
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-\S+'(;|$)/)
    expect(body.toString()).toContain(EVENTS_PATH)
  })
})
