import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { requestLocal } from '../local/lib/local-request.ts'
import { EDITS, type Edit } from '../local/testing/edits.ts'
import { copyProject, type RunningCloud, startProject } from '../local/testing/project.ts'
import { median } from './lib/load.ts'
import { report } from './lib/report.ts'

const ROUNDS = 10
const TIMEOUT_MS = 20_000
const POLL_MS = 5
const VISITED = ['/', '/the-tram-that-nobody-wanted-is-full', '/cmp-media/css/harbour/1.0.0.css']

const { positionals: names } = parseArgs({
  options: { json: { type: 'boolean' } },
  allowPositionals: true,
})
/** Edits with these names; by default all. */
const edits = EDITS.filter(({ name }) => names.length === 0 || names.includes(name))
const project = await copyProject()
try {
  const cloud = await startProject(project, ['--watch'])
  const visitor = startVisitor(cloud)
  const figures = []
  for (const edit of edits) {
    const times = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timeEdit(cloud, edit, round))
    const goal = edit.goal === undefined ? {} : { goal: { op: '<=', value: edit.goal } as const }
    figures.push({ name: `reload.${edit.name}`, value: median(times), unit: 'ms', ...goal })
  }
  const { requests, failures } = await visitor.stop()
  for (const failure of new Set(failures))
    console.error(`  a request during the edits failed: ${failure}`)
  report([
    ...figures,
    { name: 'reload.visits', value: requests, unit: '' },
    { name: 'reload.failed', value: failures.length, unit: '', goal: { op: '<=', value: 0 } },
  ])
  await cloud.interrupt()
} finally {
  await project.remove()
}

/**
 * Returns the milliseconds from saving a file to the first response
 * that shows the edit. Then it restores the file.
 */
async function timeEdit(cloud: RunningCloud, edit: Edit, round: number): Promise<number> {
  const file = join(project.folder, edit.file)
  const before = await readFile(file, 'utf8')
  const { content, shows } = edit.change(before, `mark-${edit.name.replace('.', '-')}-${round}`)
  const took = await save(content, true)
  // An edit of a stack file switches between two sites, so the next round restores the file.
  if (!edit.name.startsWith('stack-file')) await save(before, false)
  return took

  async function save(saved: string, isShown: boolean) {
    const reloadsBefore = countReloads(cloud)
    const start = performance.now()
    await writeFile(file, saved)
    await untilShown(cloud, edit, shows, isShown)
    const took = performance.now() - start
    while (countReloads(cloud) === reloadsBefore) await sleep(POLL_MS)
    return took
  }
}

/** Counts the lines that the watch prints at the end of a reload. */
function countReloads({ output }: RunningCloud): number {
  return output.match(/^ +\d+ ms {2}/gm)?.length ?? 0
}

/**
 * Requests the edit's URL until the response contains the text, or, if
 * `isShown` is false, no longer contains it.
 */
async function untilShown(
  cloud: RunningCloud,
  edit: Edit,
  text: string,
  isShown: boolean,
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  const headers = { authorization: `Bearer ${cloud.env.SITE_STAGE_CMS_API_KEY}` }
  for (;;) {
    const response = await requestLocal(edit.toUrl(cloud), { headers }).catch(() => undefined)
    if (response) {
      const all = JSON.stringify(response.headers) + response.body
      if (all.includes(text) === isShown) return
    }
    if (performance.now() > deadline) throw new Error(`${edit.name} is not served: ${edit.file}`)
    await sleep(POLL_MS)
  }
}

/** Requests pages and a stylesheet of a site repeatedly until it is stopped. */
function startVisitor({ port }: RunningCloud) {
  const failures: string[] = []
  let requests = 0
  let isStopped = false
  const visit = async () => {
    while (!isStopped) {
      for (const path of VISITED) {
        requests += 1
        const address = `http://stage2.localhost:${port}${path}`
        const status = await requestLocal(address).then(
          (response) => response.status,
          (error) => error.message,
        )
        if (status !== 200 && status !== 404) failures.push(`${path} ${status}`)
      }
      await sleep(20)
    }
  }
  const done = visit()
  return {
    async stop() {
      isStopped = true
      await done
      return { requests, failures }
    },
  }
}
