import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare, type WorkerOptions } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../../contract/constants.ts'
import { createReadApi, type ReadApi } from './read-api.ts'
import { ENV } from './simulated-network.ts'

export type RunningSite = {
  api: ReadApi
  miniflare: Miniflare
  get(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

/** Runs the bundled worker in workerd, with a read API on a loopback port and with further workers. */
export async function startWorkerd(
  changes: Partial<WorkerOptions> = {},
  otherWorkers: readonly WorkerOptions[] = [],
): Promise<RunningSite> {
  const api = createReadApi()
  const server = await serve(api)
  const port = (server.address() as AddressInfo).port
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume()
      stderr.resume()
    },
    workers: [
      {
        name: 'site',
        modules: true,
        script: await bundle('../index.ts'),
        compatibilityDate: COMPATIBILITY_DATE,
        routes: ['*/*'],
        bindings: { ...ENV, CMS_API_BASE_URL: `http://127.0.0.1:${port}/public/v2` },
        kvNamespaces: ['KV'],
        d1Databases: ['INVALIDATIONS'],
        ratelimits: { SEARCH_RATE_LIMIT: { namespace_id: '1', simple: { limit: 20, period: 10 } } },
        ...changes,
      },
      ...otherWorkers,
    ],
  })
  await miniflare.ready
  return {
    api,
    miniflare,
    get: (path, init) => send(miniflare, path, init),
    async stop() {
      await miniflare.dispose()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns the code of a worker; `entry` is relative to this file. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

// Miniflare's Response is another class than the global one, so it is copied.
async function send(miniflare: Miniflare, path: string, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body } = init
  const response = await miniflare.dispatchFetch(`https://${ENV.SITE_HOST}${path}`, {
    method,
    redirect: 'manual',
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === 'string' && { body }),
  })
  const isEmpty = [204, 304].includes(response.status) || method === 'HEAD'
  return new Response(isEmpty ? null : await response.text(), {
    status: response.status,
    headers: [...response.headers],
  })
}

async function serve(api: ReadApi) {
  const server = createServer({ keepAliveTimeout: 0 }, async (request, outgoing) => {
    try {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      const response = await api.fetch(`http://api.test${request.url}`, {
        headers: Object.fromEntries(headers),
      })
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    } catch {
      request.socket.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
