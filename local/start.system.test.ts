import { once } from 'node:events'
import { cp, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from './lib/ports.ts'
import { findChromium, NO_CHROMIUM, openChromium } from './testing/chromium.ts'
import { playSound } from './testing/playback.ts'
import {
  copyProject,
  failToStart,
  listProcesses,
  type Project,
  type RunningCloud,
  startProject,
} from './testing/project.ts'

const START_TIMEOUT_MS = 180_000
let project: Project
let cloud: RunningCloud

beforeAll(async () => {
  project = await copyProject()
  cloud = await startProject(project)
}, START_TIMEOUT_MS)

afterAll(async () => {
  await cloud.interrupt('SIGKILL')
  await project.remove()
})

/** Positions to seek to, in seconds: forward, backward, forward. */
const POSITIONS = [200, 20, 120]
const SITES = ['stage.localhost', 'stage2.localhost', 'prod.localhost']

describe('a running local cloud', () => {
  it.each(SITES)('%s shows the home page of its site', async (host) => {
    const { status, headers, body } = await cloud.get(host, '/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/html')
    expect(body.toString()).toContain(host === 'prod.localhost' ? 'Meridian' : 'The Harbour Post')
  })

  it.each([
    ['stage.localhost', 'cms-edge-media-stage'],
    ['stage2.localhost', 'cms-edge-media-stage'],
    ['prod.localhost', 'cms-edge-media-prod'],
  ])('%s/cmp-media/ is served by %s', async (host, worker) => {
    const html = (await cloud.get(host, '/')).body.toString()
    const picture = /\/cmp-media\/articles\/[^"'\s]+/.exec(html)?.[0] ?? 'no picture'
    const { status, headers, body } = await cloud.get(host, picture)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^image\//)
    expect(headers.get('cache-status')).toContain(worker)
    expect(body.byteLength).toBe(Number(headers.get('content-length')))
  })

  it('serves ranges of a sound to a browser, first from the object store, then from the edge cache', async ({
    skip,
  }) => {
    if (!findChromium()) skip(NO_CHROMIUM)
    await using browser = await openChromium(['--autoplay-policy=no-user-gesture-required'])
    const page = `http://prod.localhost:${cloud.port}/the-sound-of-a-glacier-calving`
    for (const cacheStatus of ['fwd=miss', 'hit']) {
      const { duration, seekable, positions, responses } = await playSound(browser, page, POSITIONS)
      expect([duration, seekable]).toEqual([240, 240])
      expect(positions.map(Math.floor)).toEqual(POSITIONS)
      expect(responses[0]).toContain(`206 cms-edge-media-prod; ${cacheStatus}`)
    }
  })

  it('shows links to all environments on a host without a route', async () => {
    const { status, body } = await cloud.get('unrouted.localhost', '/')
    expect(status).toBe(404)
    for (const host of SITES) expect(body.toString()).toContain(`http://${host}:${cloud.port}/`)
  })

  it('writes addresses and secrets to a file that only its owner can read', async () => {
    expect((await stat(join(project.folder, '.local/env'))).mode & 0o777).toBe(0o600)
    const { env } = cloud
    expect(env.SITE_STAGE_URL).toBe(`http://stage.localhost:${cloud.port}`)
    const key = { authorization: `Bearer ${env.SITE_STAGE_CMS_API_KEY}` }
    const ping = await fetch(`${env.SITE_STAGE_CMS_API_BASE_URL}/ping`, { headers: key })
    expect(ping.status).toBe(200)
    expect(env.SITE_STAGE_MK2_CMS_API_BASE_URL).toBe(env.SITE_STAGE_CMS_API_BASE_URL)
    expect(env.SITE_STAGE_MK2_CMS_API_KEY).not.toBe(env.SITE_STAGE_CMS_API_KEY)
    expect(env.MEDIA_PROD_STORE_ACCESS_KEY_ID).toMatch(/^AKIA/)
  })

  it('connects the read API with a role that can only read', async () => {
    const url = new URL(cloud.env.SITE_STAGE_DATABASE_URL ?? '')
    expect(await query(url.href, 'SELECT count(*)::int > 0 AS some FROM articles')).toEqual([
      { some: true },
    ])
    const grants = `SELECT has_table_privilege('cms_api', 'articles', 'SELECT') AS reads,
      has_table_privilege('cms_api', 'articles', 'UPDATE') AS writes`
    expect(await query(url.href, grants)).toEqual([{ reads: true, writes: false }])
  })
})

describe('a change in the database', () => {
  const host = 'stage.localhost'
  const PATH = `SELECT '/' || slug AS path FROM articles JOIN sites ON sites.id = site_id
    WHERE acronym = 'harbour' AND language = 'en' AND status = 'published'
      AND content_type = 'homepage_article' AND published_at < now() ORDER BY published_at LIMIT 1`

  /**
   * Requests the page of an article, so that it is cached, then changes its title; returns its path. Each
   * test uses another article (`index`), since a purge also covers pages rendered up to a second later.
   */
  async function changeTitle(index: number, title: string): Promise<string> {
    const url = cloud.env.SITE_STAGE_DATABASE_URL ?? ''
    const [row] = await query<{ path: string }>(url, `${PATH} OFFSET ${index}`)
    const path = row?.path ?? 'no article'
    await cloud.get(host, path)
    await query(url, `UPDATE articles SET title = '${title}' WHERE slug = '${path.slice(1)}'`)
    return path
  }

  const fetchPage = async (path: string) => (await cloud.get(host, path)).body.toString()

  it('is not served before a purge of its page, but right after it', async () => {
    const path = await changeTitle(0, 'Edited before a purge')
    const before = await cloud.get(host, path)
    expect(before.headers.get('cache-status')).toMatch(/; hit; ttl=\d+; detail=(edge|kv)/)
    expect(before.body.toString()).not.toContain('Edited before a purge')
    expect((await cloud.purge(host, 'SITE_STAGE', path)).status).toBe(200)
    expect(await fetchPage(path)).toContain('Edited before a purge')
  })

  it('is also served without a purge', { timeout: 120_000 }, async () => {
    const path = await changeTitle(1, 'Edited without a purge')
    await expect
      .poll(() => fetchPage(path), { timeout: 100_000, interval: 1000 })
      .toContain('Edited without a purge')
  })
})

describe('a second local cloud', () => {
  it(
    'runs on other ports and in another folder',
    async () => {
      const data = join(project.folder, 'other')
      await cp(join(project.folder, '.local/store'), join(data, 'store'), { recursive: true })
      const other = await startProject(project, ['--data', data, '--env', 'media-stage'])
      expect((await other.get('stage.localhost', '/cmp-media/none')).status).toBe(404)
      expect((await other.get('stage.localhost', '/')).body.toString()).toContain(
        'Nothing is declared',
      )
      expect((await cloud.get('stage.localhost', '/')).status).toBe(200)
      expect(await other.interrupt('SIGTERM')).toBe(0)
      expect(await listProcesses(data)).toEqual([])
    },
    START_TIMEOUT_MS,
  )

  it(
    'rejects a port and a folder that are in use',
    async () => {
      const usedPort = await failToStart(project, ['--port', String(cloud.port), '--data', 'other'])
      expect(usedPort).toEqual({
        code: 1,
        output: expect.stringMatching(/^Port \d+ is in use: [^\n]+$/),
      })
      const freePort = String(await findFreePort())
      const usedFolder = await failToStart(project, ['--port', freePort, '--data', '.local'])
      expect(usedFolder).toEqual({
        code: 1,
        output: expect.stringMatching(/^[^\n]+is in use by another start[^\n]+$/),
      })
    },
    START_TIMEOUT_MS,
  )
})

describe('a start that fails', () => {
  it('names a folder that it cannot write', async () => {
    await writeFile(join(project.folder, 'a-file'), '')
    const args = ['--port', String(await findFreePort()), '--data', 'a-file/data']
    const { code, output } = await failToStart(project, args)
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The folder .*a-file\/data cannot be written \(ENOTDIR\)\. .+$/,
      ),
    })
  })

  it('names a database server that does not respond', async () => {
    const args = ['--port', String(await findFreePort()), '--data', 'without-database']
    const DATABASE_URL = 'postgresql://me:secret@127.0.0.1:1/'
    const { code, output } = await failToStart(project, args, { DATABASE_URL })
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1 cannot be used: [^\n]+$/),
    })
  })

  it(
    'names an invalid stack file, and stops all processes',
    async () => {
      await project.edit('Pulumi.site-prod.yaml', 'config:', 'config: {')
      const args = ['--port', String(await findFreePort()), '--data', 'broken']
      const { code, output } = await failToStart(project, args)
      await project.edit('Pulumi.site-prod.yaml', 'config: {', 'config:')
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^\S+Pulumi\.site-prod\.yaml is not a valid stack file: [^\n]+$/,
        ),
      })
      // Processes that were being started end a moment later, when their standard input closes.
      await expect
        .poll(() => listProcesses(join(project.folder, 'broken')), { timeout: 10_000 })
        .toEqual([])
    },
    START_TIMEOUT_MS,
  )
})

describe('a restart', () => {
  it(
    'ends all processes, keeps the data and starts faster',
    async () => {
      const { readyIn, env } = cloud
      const url = env.SITE_PROD_DATABASE_URL ?? ''
      await query(url, `UPDATE articles SET title = 'Kept for the next start' WHERE id = 1`)
      expect(await cloud.interrupt()).toBe(0)
      expect(await listProcesses(join(project.folder, '.local'))).toEqual([])
      await expectClosed(Number(new URL(url).port))

      cloud = await startProject(project)
      expect(cloud.readyIn).toBeLessThan(readyIn)
      expect(cloud.env.SITE_PROD_ADMIN_PURGE_SECRET).toBe(env.SITE_PROD_ADMIN_PURGE_SECRET)
      const kept = await query(
        cloud.env.SITE_PROD_DATABASE_URL ?? '',
        'SELECT title FROM articles WHERE id = 1',
      )
      expect(kept).toEqual([{ title: 'Kept for the next start' }])
    },
    START_TIMEOUT_MS,
  )

  it(
    'applies changes of a stack file and of infra/',
    async () => {
      await cloud.interrupt()
      await project.edit('Pulumi.site-stage.yaml', 'CMS_SITE_ID: harbour', 'CMS_SITE_ID: meridian')
      await project.edit('Pulumi.media-stage.yaml', '    - stage2.harbourpost.example\n', '')
      await project.edit('infra/bindings.ts', 'plainText(worker.name)', "plainText('renamed')")
      cloud = await startProject(project)
      // As in the cloud, a purge invalidates the cached pages of a host, and a deployment does not.
      expect((await cloud.purge('stage.localhost', 'SITE_STAGE')).status).toBe(200)
      expect((await cloud.get('stage.localhost', '/')).body.toString()).toContain('Meridian')
      const media = (await cloud.get('stage2.localhost', '/cmp-media/none')).headers
      expect(media.get('cache-status') ?? '').not.toContain('media')
      const { body } = await cloud.get('stage.localhost', '/__cms/health')
      expect(JSON.parse(body.toString())).toMatchObject({ worker: 'renamed' })
    },
    START_TIMEOUT_MS,
  )

  it('ends all processes when it is killed', async () => {
    await cloud.interrupt('SIGKILL')
    await expect
      .poll(() => listProcesses(join(project.folder, '.local')), { timeout: 10_000 })
      .toEqual([])
  })
})

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function expectClosed(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
}
