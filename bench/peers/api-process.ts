import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface RunningBaseline {
  address: string
  /** CPU time that its process has used so far, in microseconds. */
  readCpu(): Promise<number>
  stop(): void
}

/** Starts a contender of `api-baselines.ts` in a process of its own. */
export async function startBaseline(name: string, databaseUrl: string): Promise<RunningBaseline> {
  const child = fork(join(import.meta.dirname, 'api-baselines.ts'), [name], {
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
  })
  const [address] = await once(child, 'message')
  const readCpu = async (): Promise<number> => {
    child.send('cpu')
    const [used] = await once(child, 'message')
    return used
  }
  return { address, readCpu, stop: () => void child.kill() }
}
