import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../lib/paths.ts'
import { toErrorMessage } from '../lib/user-error.ts'
import { type CloudPart, classify } from './classify.ts'
import { createReloads, type WatchedServices } from './reloads.ts'

const FOLDERS = ['api', 'contract', 'demo', 'http', 'infra', 'prisma', 'themes', 'workers']
// Pause in which further changes join a batch: an editor may save a file in several steps.
const BATCH_MS = 15

/** Reloads the services that saved files affect, one batch at a time. */
export function watchProject(watched: WatchedServices): void {
  const { report, cleanup, notices } = watched.context
  const reload = createReloads(watched)
  const changed = new Set<string>()
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (changed.size > 0 && !cleanup.disposed) {
      await sleep(BATCH_MS)
      const batch = classify(changed)
      changed.clear()
      if (batch.size > 0) await reloadBatch(batch)
    }
    isRunning = false
  }
  const reloadBatch = async (batch: Map<CloudPart, string[]>) => {
    const startedAt = performance.now()
    const files = [...new Set([...batch.values()].flat())]
    const subject = `${[...batch.keys()].join(', ')} (${summarise(files)})`
    try {
      const effect = await reload(batch)
      notices.delete('watch')
      report.line(`  ${Math.round(performance.now() - startedAt)} ms  ${subject}${effect}`)
    } catch (error) {
      const message = `${subject} not reloaded: ${toErrorMessage(error)}`
      notices.set('watch', message)
      report.line(`  ${message}\n  The last working version is still served.`)
    }
  }
  const addChange = (path: string) => {
    changed.add(path)
    if (!isRunning) void run()
  }
  for (const folder of FOLDERS) {
    const watcher = watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name !== null) addChange(`${folder}/${name}`)
    })
    cleanup.defer(() => watcher.close())
  }
  const stackFiles = watch(root, (_, name) => {
    if (name?.startsWith('Pulumi.')) addChange(name)
  })
  cleanup.defer(() => stackFiles.close())
  report.line('  Watching: a saved file is reloaded.')
}

function summarise([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
