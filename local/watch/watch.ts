import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, SOURCE_FOLDERS } from '../lib/paths.ts'
import { toErrorMessage } from '../lib/user-error.ts'
import { type CloudPart, classify } from './classify.ts'
import { createReloads, type WatchedServices } from './reloads.ts'

// Pause in which further changes join a batch: an editor may save a file in several steps.
const BATCH_MS = 15

/** Reloads the services that saved files affect, one batch at a time. */
export function watchProject(watched: WatchedServices): void {
  const { report, cleanup, notices } = watched.context
  const reload = createReloads(watched)
  const changed = new Set<string>()
  // Files of failed batches. They are reloaded again after the next save, because one of them stopped the others.
  const failed = new Set<string>()
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (changed.size > 0 && !cleanup.disposed) {
      await sleep(BATCH_MS)
      const saved = [...changed]
      changed.clear()
      await reloadFiles(saved)
      const others = [...failed].filter((path) => !saved.includes(path))
      if (others.length > 0) await reloadFiles(others)
      if (failed.size === 0) notices.delete('watch')
    }
    isRunning = false
  }
  const reloadFiles = async (paths: readonly string[]) => {
    const batch = classify(paths)
    const isReloaded = batch.size === 0 || (await reloadBatch(batch))
    for (const path of paths) {
      if (isReloaded) failed.delete(path)
      else if (existsSync(join(root, path))) failed.add(path)
    }
  }
  const reloadBatch = async (batch: Map<CloudPart, string[]>): Promise<boolean> => {
    const startedAt = performance.now()
    const files = [...new Set([...batch.values()].flat())]
    const subject = `${[...batch.keys()].join(', ')} (${summarise(files)})`
    try {
      const effect = await reload(batch)
      report.line(`  ${Math.round(performance.now() - startedAt)} ms  ${subject}${effect}`)
      return true
    } catch (error) {
      const message = `${subject} not reloaded: ${toErrorMessage(error)}`
      notices.set('watch', message)
      report.line(`  ${message}\n  The last working version is still served.`)
      return false
    }
  }
  const addChange = (path: string) => {
    changed.add(path)
    if (!isRunning) void run()
  }
  for (const folder of SOURCE_FOLDERS) {
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
