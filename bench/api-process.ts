import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts a rival of `api-rivals.ts` in a process of its own. */
export async function startRival(
  name: string,
  databaseUrl: string,
): Promise<{ address: string; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'api-rivals.ts'), name], {
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = await once(createInterface(child.stdout), 'line')
  return { address, stop: () => void child.kill() }
}
