import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../local/lib/paths.ts'
import { startProject } from '../../local/testing/project.ts'

export type CloudResponse = { status: number; headers: Headers; body: Buffer }

/** A local cloud with all environments. */
export type Cloud = {
  /** Returns the origin of a host for a browser. */
  origin(host: string): string
  get(host: string, path: string): Promise<CloudResponse>
  stop(): Promise<void>
}

/** The running one whose edge has the port of `--port`, else one of its own, freshly seeded. */
export async function openCloud(): Promise<Cloud> {
  const { values } = parseArgs({ options: { port: { type: 'string' } }, strict: false })
  if (typeof values.port === 'string') return toCloud(Number(values.port), async () => {})
  const folder = await mkdtemp(join(tmpdir(), 'cms-edge-bench-cloud-'))
  // PostgreSQL's own user has to reach the data in it.
  await chmod(folder, 0o755)
  const running = await startProject({ folder: root }, ['--data', folder])
  return toCloud(running.port, async () => {
    await running.interrupt()
    await rm(folder, { recursive: true, force: true })
  })
}

function toCloud(port: number, stop: () => Promise<void>): Cloud {
  return {
    origin: (host) => `http://${host}:${port}`,
    get: (host, path) => get(port, host, path),
    stop,
  }
}

/** Programs cannot resolve the hosts of the edge, so this connects to 127.0.0.1. */
function get(port: number, host: string, path: string): Promise<CloudResponse> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode ?? 0, headers, body })
    })
      .on('error', reject)
      .end()
  })
}
