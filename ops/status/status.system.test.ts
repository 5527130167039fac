import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../local/lib/paths.ts'
import { type RunningCloud, startProject } from '../../local/testing/project.ts'
import { expectInDocument } from '../testing/document.ts'

const CMS = new URL('../../docs/cms.md', import.meta.url)
const PAST = '2026-11-01T08:00:00Z'

let folder: string
let cloud: RunningCloud
let database: pg.Client

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-status-'))
  // The user that runs PostgreSQL must be able to read the folder.
  await chmod(folder, 0o755)
  const args = ['--data', folder, '--env', 'site-stage', '--articles', '200']
  cloud = await startProject({ folder: root }, args)
  database = new pg.Client({ connectionString: cloud.env.SITE_STAGE_DATABASE_URL })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await cloud.interrupt()
  await rm(folder, { recursive: true, force: true })
})

interface ArticleColumns {
  slug: string
  status?: string
  type?: string
  language?: string
  publishedAt?: string | null
}

async function insert({
  slug,
  status = 'published',
  type = 'homepage_article',
  language = 'en',
  publishedAt = PAST,
}: ArticleColumns): Promise<void> {
  await database.query(
    `INSERT INTO articles (site_id, slug, status, content_type, language, title, published_at, created_at, updated_at)
     SELECT id, $1, $2, $3, $4, 'The new bridge', $5, $6, $6 FROM sites WHERE acronym = 'harbour'`,
    [slug, status, type, language, publishedAt, PAST],
  )
}

const rename = (from: string, to: string) =>
  database.query('UPDATE articles SET slug = $2 WHERE slug = $1', [from, to])
const remove = (slug: string) => database.query('DELETE FROM articles WHERE slug = $1', [slug])

const CASES: { path: string; first: string; prepare: () => Promise<unknown> }[] = [
  {
    path: '/bridge-opens',
    first: 'live',
    prepare: () => insert({ slug: 'bridge-opens' }),
  },
  {
    path: '/bridge-draft',
    first: 'not live because its status is "draft"',
    prepare: () => insert({ slug: 'bridge-draft', status: 'draft' }),
  },
  {
    path: '/bridge-next-year',
    first: 'not live because it is scheduled for 2029-01-01T08:00:00.000Z',
    prepare: () => insert({ slug: 'bridge-next-year', publishedAt: '2029-01-01T08:00:00Z' }),
  },
  {
    path: '/bridge-press-release',
    first:
      'not live because its content_type is "press_release", and only homepage_article is served',
    prepare: () => insert({ slug: 'bridge-press-release', type: 'press_release' }),
  },
  {
    path: '/die-neue-bruecke',
    first: 'not live because its slug is published in de only',
    prepare: () => insert({ slug: 'die-neue-bruecke', language: 'de' }),
  },
  {
    path: '/about',
    first:
      'not live because the static page "about" has the same path and takes precedence over the article',
    prepare: () => insert({ slug: 'about' }),
  },
  {
    path: '/bridge-old-name',
    first: 'not live because it has moved: the path redirects to /bridge-new-name (301)',
    prepare: async () => {
      await insert({ slug: 'bridge-old-name' })
      await rename('bridge-old-name', 'bridge-new-name')
    },
  },
  {
    path: '/bridge-mistake',
    first: 'not live because it was deleted: the path responds with 410',
    prepare: async () => {
      await insert({ slug: 'bridge-mistake' })
      await remove('bridge-mistake')
    },
  },
  {
    path: '/bridge-typo',
    first: 'not live because no article of this site has the path /bridge-typo',
    prepare: async () => {},
  },
  {
    path: '/news/bridge',
    first: 'not live because no route of the site matches /news/bridge',
    prepare: async () => {},
  },
]

/** Number of transcripts that the document shows whole; of the others, command and first line. */
const SHOWN_WHOLE = 2

test('prints why a page is live or not, as in docs/cms.md', async () => {
  const printed: string[] = []
  for (const { path, first, prepare } of CASES) {
    await prepare()
    const { code, out } = await runStatus(path)
    expect(out.split('\n')[0]).toBe(first)
    expect(code, out).toBe(first === 'live' ? 0 : 1)
    printed.push(`$ npm run status -- site-stage ${path}\n${mask(out.trim())}`)
  }
  const firstLines = printed.slice(SHOWN_WHOLE).map((text) => text.split('\n', 2).join('\n'))
  const text = [...printed.slice(0, SHOWN_WHOLE), ...firstLines].join('\n\n')
  await expectInDocument(CMS, 'status transcripts', `\`\`\`text\n${text}\n\`\`\``)
})

test('fails with the name of a missing variable', async () => {
  const { code, error } = await runStatus('/', { SITE_STAGE_CMS_API_KEY: '' })
  expect(code).toBe(1)
  expect(error).toContain('Set SITE_STAGE_CMS_API_KEY')
})

test('distinguishes a read API that is down from a missing article', async () => {
  const overrides = { SITE_STAGE_CMS_API_BASE_URL: 'http://127.0.0.1:9/public/v2' }
  const { code, out } = await runStatus('/bridge-opens', overrides)
  expect(code).toBe(1)
  expect(out).toMatch(/^not live because the read API cannot be read: /)
})

function runStatus(path: string, overrides: Record<string, string> = {}) {
  const args = [join(root, 'ops/status/index.ts'), 'site-stage', path]
  const env = { ...cloud.env, ...overrides }
  return new Promise<{ code: number; out: string; error: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, out, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: stderr })
    })
  })
}

/** Replaces parts of the output that differ between runs. */
function mask(text: string): string {
  return text
    .replaceAll(/\bid \d+/g, 'id …')
    .replaceAll(/ttl=-?\d+/g, 'ttl=…')
    .replaceAll(/\d+\.\d+ is the newest/g, '… is the newest')
    .replaceAll(/(last modified|last read) [^,\n]+(, \d\d [^,\n]+)?/g, '$1 …')
}
