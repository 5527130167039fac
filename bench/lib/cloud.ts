import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { requestLocal } from '../../local/lib/local-request.ts'
import { root } from '../../local/lib/paths.ts'
import { createTemporaryFolder } from '../../local/lib/temporary-folder.ts'
import { startProject } from '../../local/testing/project.ts'

export type CloudResponse = { status: number; headers: Headers; body: Buffer }

/** A local cloud with all environments. */
export type BenchCloud = {
  /** Returns the origin of a host for a browser. */
  origin(host: string): string
  get(host: string, path: string): Promise<CloudResponse>
  stop(): Promise<void>
}

/**
 * Returns the running local cloud with the edge port `--port`;
 * without that option, a new and newly seeded one.
 */
export async function openCloud(): Promise<BenchCloud> {
  const { values } = parseArgs({ options: { port: { type: 'string' } }, strict: false })
  if (typeof values.port === 'string') return toCloud(Number(values.port), async () => {})
  const folder = await createTemporaryFolder('bench-cloud')
  const running = await startProject({ folder: root }, ['--data', folder])
  return toCloud(running.port, async () => {
    await running.interrupt()
    await rm(folder, { recursive: true, force: true })
  })
}

function toCloud(port: number, stop: () => Promise<void>): BenchCloud {
  return {
    origin: (host) => `http://${host}:${port}`,
    get: (host, path) => fetchLocal(`http://${host}:${port}${path}`),
    stop,
  }
}

async function fetchLocal(address: string): Promise<CloudResponse> {
  const { status, headers, body } = await requestLocal(address)
  return { status, headers: new Headers(headers as Record<string, string>), body }
}
