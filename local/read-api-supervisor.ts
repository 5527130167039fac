import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './lib/ports.ts'
import { startProxy } from './lib/proxy.ts'
import type { SupervisedProcess } from './lib/spawn-supervised.ts'
import { toErrorMessage } from './lib/user-error.ts'

/** A read API that is restarted when it ends by itself. */
export interface RunningApi {
  /**
   * Starts a new process and stops the old one. Needs `isWatching`, since both run for a moment.
   *
   * @throws the error of `launch` when the new process does not start; then the old one continues
   */
  replace(): Promise<void>
  stop(): Promise<void>
}

interface SupervisorDeps {
  /** Starts a process that listens on a port; rejects when the process does not start. */
  launch(port: number): Promise<SupervisedProcess>
  /** The declared port. */
  port: number
  /** True: requests pass through a proxy, so that `replace` does not interrupt them. */
  isWatching: boolean
  /** Called when the process ends, restarts or fails to restart; `event` is a sentence without a subject. */
  onNotice(event: string, isUp: boolean): void
}

/** Pauses before the first, the second, and every further attempt to restart. */
const RETRY_MS = [200, 1000, 5000]

/** Starts a read API; rejects when its first process does not start. */
export async function superviseApi({
  launch,
  port,
  isWatching,
  onNotice,
}: SupervisorDeps): Promise<RunningApi> {
  let stopped = false
  const choosePort = () => (isWatching ? findFreePort() : port)
  const firstPort = await choosePort()
  let current = await launch(firstPort)
  const proxy = isWatching ? await startProxy({ port, target: firstPort }) : undefined
  const restartOnExit = (child: SupervisedProcess) => {
    child.exited.then(async (code) => {
      if (stopped || child !== current) return
      onNotice(`ended with ${code}; restarting.`, false)
      await restart()
    })
  }
  const restart = async () => {
    for (let attempt = 0; !stopped; attempt += 1) {
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
      try {
        await replaceProcess()
        return onNotice('was restarted.', true)
      } catch (error) {
        onNotice(`does not start: ${toErrorMessage(error)}`, false)
      }
    }
  }
  const replaceProcess = async () => {
    const next = await choosePort()
    const child = await launch(next)
    const old = current
    current = child
    restartOnExit(child)
    proxy?.switchTo(next)
    await proxy?.drain()
    await old.stop()
    if (stopped) await child.stop()
  }
  restartOnExit(current)
  return {
    replace: replaceProcess,
    async stop() {
      stopped = true
      await Promise.all([current.stop(), proxy?.stop()])
    },
  }
}
