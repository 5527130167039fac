import { setTimeout } from 'node:timers/promises'
import { toErrorMessage } from '../../lib/user-error.ts'
import { compileConfig } from './compile.ts'
import { type Edge, type RunningPlan, startEdge } from './edge.ts'

export interface LiveEdge extends Edge {
  /**
   * Restarts workerd with the account's current content, 150 ms after the call, or after a restart that is
   * under way. Further calls before that have no effect.
   */
  reload(): void
  /**
   * Restarts workerd with the account's current content, after a restart that is under way.
   *
   * @throws Error when the configuration cannot be generated (the old process still runs), or when workerd
   * does not start (no process runs)
   */
  replace(): Promise<void>
}

interface LiveEdgeDeps {
  plan: () => RunningPlan
  /** Called with the reason when `reload` fails. */
  onFailure: (reason: string) => void
  /** Calls `replace`, which replaces workerd; the port is closed meanwhile. */
  duringReplacement?: (replace: () => Promise<void>) => Promise<void>
}

const RELOAD_DELAY_MS = 150

/** Starts the edge of an account that can change while it runs. */
export async function startLiveEdge({
  plan,
  onFailure,
  duringReplacement = (replace) => replace(),
}: LiveEdgeDeps): Promise<LiveEdge> {
  const { promise: exited, resolve } = Promise.withResolvers<number | null>()
  let current: Edge | undefined
  let lastRun: Promise<void> = Promise.resolve()
  let isScheduled = false
  let stopped = false

  const start = async () => {
    const started = await startEdge(plan())
    current = started
    // A process that is being replaced or stopped is no longer current.
    started.exited.then((code) => {
      if (current === started) resolve(code)
    })
  }
  const stopCurrent = async () => {
    const old = current
    current = undefined
    await old?.stop()
  }
  const replace = async () => {
    if (stopped) return
    // Saves the configuration for `start` while the old process still serves.
    await compileConfig(plan())
    await duringReplacement(async () => {
      await stopCurrent()
      await start()
    })
  }
  const replaceSoon = async () => {
    await setTimeout(RELOAD_DELAY_MS)
    isScheduled = false
    await replace()
  }
  await start()
  return {
    exited,
    reload() {
      if (isScheduled) return
      isScheduled = true
      lastRun = lastRun.then(replaceSoon).catch((error) => onFailure(toErrorMessage(error)))
    },
    replace() {
      const done = lastRun.then(replace)
      lastRun = done.catch(() => {})
      return done
    },
    async stop() {
      stopped = true
      await lastRun
      await stopCurrent()
    },
  }
}
