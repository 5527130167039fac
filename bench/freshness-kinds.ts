import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { root } from '../local/lib/paths.ts'
import { startProject } from '../local/testing/project.ts'
import { findPart } from '../ops/lib/document-part.ts'
import { type Change, changes, type PageResponse } from './lib/changes-of-content.ts'
import { median } from './lib/load.ts'
import { type Figure, report } from './lib/report.ts'

const HOST = 'stage.localhost'
const ROUNDS = 3
const SECOND_MS = 1000
/** Limit for a commit while the site gets at least one request a second (docs/cms.md). */
const LIMIT_SECONDS = 15
const POLL_MS = 200
const GIVE_UP_MS = 60 * SECOND_MS
const CMS = new URL('../docs/cms.md', import.meta.url)

type Get = (path: string) => Promise<PageResponse>

const folder = await mkdtemp(join(tmpdir(), 'cms-edge-bench-freshness-'))
// Started by root, PostgreSQL runs as another user, which must be able to read the folder.
await chmod(folder, 0o755)
const args = ['--data', folder, '--env', 'site-stage', '--articles', '300']
const cloud = await startProject({ folder: root }, args)
const database = new pg.Pool({ connectionString: cloud.env.SITE_STAGE_DATABASE_URL })
try {
  const get: Get = async (path) => {
    const { status, headers, body } = await cloud.get(HOST, path)
    return { status, location: headers.get('location') ?? '', body: body.toString() }
  }
  const measured = await measureAll(get)
  report(measured.map(toFigure))
  if (process.argv.includes('--write')) await writeTable(measured)
} finally {
  await database.end()
  await cloud.interrupt()
  await rm(folder, { recursive: true, force: true })
}

interface Measured {
  change: Change
  /** Times from the commit or the publication to the first page that shows the change; sorted. */
  seconds: number[]
}

/**
 * Measures changes of single articles concurrently, as their pages
 * differ; changes of the whole site one by one.
 */
async function measureAll(get: Get): Promise<Measured[]> {
  const measured = changes.map((change): Measured => ({ change, seconds: [] }))
  for (let round = 0; round < ROUNDS; round++) {
    const measure = async ({ change, seconds }: Measured) => {
      seconds.push(await timeChange(change, get))
      seconds.sort((a, b) => a - b)
    }
    await Promise.all(measured.filter(({ change }) => !change.isShared).map(measure))
    for (const each of measured.filter(({ change }) => change.isShared)) await measure(each)
  }
  return measured
}

/** Returns the seconds from the commit or the publication to the first page that shows the change. */
async function timeChange(change: Change, get: Get): Promise<number> {
  const mark = `m${randomBytes(4).toString('hex')}`
  const query = async (text: string, values: unknown[]) => (await database.query(text, values)).rows
  const { path, from = () => Date.now(), commit, isVisible } = await change.prepare(query, mark)
  await waitUntil(get, path, (response) => !isVisible(response), change.kind)
  // An editor commits at any time between two reads of the change log, so this commit has a random time too.
  const end = Date.now() + 2 * SECOND_MS + Math.random() * 6 * SECOND_MS
  await waitUntil(get, path, () => Date.now() > end, change.kind)
  await commit()
  const start = from()
  await waitUntil(get, path, isVisible, change.kind)
  return Math.max(0, (Date.now() - start) / SECOND_MS)
}

/** Requests a page until a response fulfils the condition. */
async function waitUntil(
  get: Get,
  path: string,
  isReached: (response: PageResponse) => boolean,
  kind: string,
): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS
  while (!isReached(await get(path))) {
    if (Date.now() > deadline)
      throw new Error(`${kind}: ${path} has not the expected content after 60 s`)
    await sleep(POLL_MS)
  }
}

function toFigure({ change, seconds }: Measured): Figure {
  const value = seconds.at(-1) ?? Number.NaN
  return {
    name: `freshness.${change.kind}`,
    value,
    unit: 's',
    goal: { op: '<=', value: LIMIT_SECONDS },
  }
}

async function writeTable(measured: readonly Measured[]): Promise<void> {
  const rows = measured.map(({ change: { kind, changed, seen }, seconds }) => [
    kind,
    changed,
    seen,
    median(seconds).toFixed(1),
    (seconds.at(-1) ?? 0).toFixed(1),
    `${LIMIT_SECONDS}`,
  ])
  const headerRows = [
    ['change', 'in the database', 'seen as', 'seconds, median', 'longest', 'limit'],
    ['---', '---', '---', '---:', '---:', '---:'],
  ]
  const table = [...headerRows, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const note = `The table has the seconds from the commit until a visitor sees the change, without a purge. For scheduled articles they count from \`published_at\`. \`npm run bench -- freshness-kinds --write\` measured each change ${ROUNDS} times in local environments, at several requests per second.\n\nThe limit holds in every data centre, if all of them together get at least one request for the site per second. On a site without visitors the limit is 75 seconds.`
  const document = await readFile(CMS, 'utf8')
  await writeFile(CMS, findPart(document, 'freshness').replace(`${note}\n\n${table}`))
}
