import { setTimeout as sleep } from 'node:timers/promises'
import { type Front, startFront } from './lib/front.ts'
import { findFreePort } from './lib/ports.ts'
import type { SupervisedProcess } from './lib/spawn-supervised.ts'
import { toSentence } from './lib/user-error.ts'

/** A read API that is started again when it ends by itself. */
export interface RunningApi {
  /** Starts a new process and lets it take over; when it does not start, the old one runs on. */
  replace(): Promise<void>
  stop(): Promise<void>
}

interface SupervisorDeps {
  /** Starts a process that listens on a port; rejects when it does not come up. */
  launch(port: number): Promise<SupervisedProcess>
  /** The declared port. */
  port: number
  /** Whether `replace` must not interrupt requests. */
  watch: boolean
  /** Called with a sentence when the process ends or runs again. */
  onNotice(sentence: string, isUp: boolean): void
}

const RETRY_MS = [200, 1000, 5000]

/** Starts a read API; rejects when it does not come up. */
export async function superviseApi({
  launch,
  port,
  watch,
  onNotice,
}: SupervisorDeps): Promise<RunningApi> {
  let stopped = false
  const toPort = () => (watch ? findFreePort() : port)
  const firstPort = await toPort()
  let current = await launch(firstPort)
  const front = watch ? await startFront({ port, target: firstPort }) : undefined
  const guard = (child: SupervisedProcess) => {
    child.exited.then(async (code) => {
      if (stopped || child !== current) return
      onNotice(`ended with ${code}; it is started again.`, false)
      await restart()
    })
  }
  const restart = async () => {
    for (let attempt = 0; !stopped; attempt += 1) {
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
      try {
        await takeOver()
        return onNotice('runs again.', true)
      } catch (error) {
        onNotice(`does not start: ${toSentence(error)}`, false)
      }
    }
  }
  const takeOver = async () => {
    const next = await toPort()
    const child = await launch(next)
    const old = current
    current = child
    guard(child)
    front?.switchTo(next)
    await front?.drain()
    await old.stop()
    if (stopped) await child.stop()
  }
  guard(current)
  return {
    replace: takeOver,
    async stop() {
      stopped = true
      await Promise.all([current.stop(), stopFront(front)])
    },
  }
}

async function stopFront(front: Front | undefined): Promise<void> {
  await front?.stop()
}
