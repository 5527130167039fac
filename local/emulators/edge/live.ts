import { setTimeout } from 'node:timers/promises'
import { toSentence } from '../../lib/user-error.ts'
import { compileConfig } from './compile.ts'
import { type Edge, type RunningPlan, startEdge } from './edge.ts'

export interface LiveEdge extends Edge {
  /** Schedules a run of the account's content; calls in quick succession cause one run. */
  reload(): void
  /** Runs the account's content at once. Rejects when it cannot run; the edge then serves nothing. */
  replace(): Promise<void>
}

interface LiveEdgeDeps {
  plan: () => RunningPlan
  /** Called with the reason when the account's content cannot run; the edge serves nothing until it changes. */
  onFailure: (reason: string) => void
  /** Wraps each replacement of the edge process, during which its port is closed. */
  exchange?: (change: () => Promise<void>) => Promise<void>
}

const QUIET_MS = 150

/** The edge of an account that changes while it runs. */
export async function startLiveEdge({
  plan,
  onFailure,
  exchange = (change) => change(),
}: LiveEdgeDeps): Promise<LiveEdge> {
  const { promise: exited, resolve } = Promise.withResolvers<number | null>()
  let current: Edge | undefined
  let turn: Promise<void> = Promise.resolve()
  let waiting = false
  let stopped = false

  const start = async () => {
    const started = await startEdge(plan())
    current = started
    started.exited.then((code) => current === started && resolve(code))
  }
  const leave = async () => {
    const left = current
    current = undefined
    await left?.stop()
  }
  const replace = async () => {
    if (stopped) return
    // Compiled while the old process still serves.
    await compileConfig(plan())
    await exchange(async () => {
      await leave()
      await start()
    })
  }
  const replaceSoon = async () => {
    await setTimeout(QUIET_MS)
    waiting = false
    await replace()
  }
  await start()
  return {
    exited,
    reload() {
      if (waiting) return
      waiting = true
      turn = turn.then(replaceSoon).catch((error) => onFailure(toSentence(error)))
    },
    replace() {
      const done = turn.then(replace)
      turn = done.catch(() => {})
      return done
    },
    async stop() {
      stopped = true
      await turn
      await leave()
    },
  }
}
