import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface BaselineServer {
  address: string
  /** Returns the CPU time that the process has used so far, in microseconds. */
  readCpu(): Promise<number>
  stop(): void
}

/** Starts a server of `api-baselines.ts` in a separate process. */
export async function startServer(name: string, databaseUrl: string): Promise<BaselineServer> {
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
