import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare, type WorkerOptions } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../../contract/constants.ts'
import { createFaults } from './faults.ts'
import type { Credential, Harness, Reply, SentRequest } from './harness.ts'
import { listen } from './listen.ts'
import { signUpload, type TestStore } from './stores.ts'

const CREDENTIALS: Credential[] = ['reader', 'cannotList', 'revoked', 'wrongSecret']
const ENTRY = fileURLToPath(new URL('../index.ts', import.meta.url))

/** Bundles the worker into one ES module, as it is deployed. */
export async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd'],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** Returns the configuration of a media worker in workerd that reads the store at `endpoint` with a credential. */
export function toWorker(
  script: string,
  store: TestStore,
  endpoint: string,
  credential: Credential,
): WorkerOptions {
  const { bucket, region, credentials } = store
  return {
    name: credential,
    modules: [{ type: 'ESModule', path: 'media.js', contents: script }],
    compatibilityDate: COMPATIBILITY_DATE,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    bindings: {
      WORKER_NAME: 'cms-edge-media-test',
      WORKER_VERSION: 'test',
      MEDIA_CACHE_TTL: '604800',
      STORE_BUCKET: bucket,
      STORE_REGION: region,
      STORE_ENDPOINT: endpoint,
      STORE_ACCESS_KEY_ID: credentials[credential].accessKeyId,
      STORE_SECRET_ACCESS_KEY: credentials[credential].secretAccessKey,
    },
  }
}

/**
 * Creates a harness in workerd, which is connected to clients and store by HTTP. `scripts` are additional workers:
 * their source by name.
 */
export async function createWorkerd(store: TestStore, scripts: Record<string, string> = {}) {
  const faults = createFaults(store.handle)
  const server = await listen(faults.handle)
  const script = await bundleWorker()
  const workers = CREDENTIALS.map((credential) => toWorker(script, store, server.url, credential))
  for (const [name, contents] of Object.entries(scripts)) {
    workers.push({ ...toWorker(contents, store, server.url, 'reader'), name })
  }
  const lines: string[] = []
  const miniflare = new Miniflare({
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ message }: { message: string }) => {
      lines.push(message)
    },
    workers: [...workers, OTHER_WORKER],
  })
  const origins = new Map<string, URL>()
  for (const { name = '' } of [...workers, OTHER_WORKER]) {
    origins.set(name, await miniflare.unsafeGetDirectURL(name))
  }
  const toUrl = (name: string, path: string) => new URL(path, origins.get(name)).href
  const callOtherWorker = (method: string, credential: Credential, path: string, body = '') => {
    const url = toUrl(credential, path).replace(/^http:/, 'https:')
    return send(toUrl('other-worker', '/'), { method, path: `/?${encodeURIComponent(url)}`, body })
  }

  const harness: Harness = {
    async upload(key, body, contentType) {
      const response = await store.handle(
        await signUpload(store, server.url, key, body, contentType),
      )
      if (!response.ok) throw new Error(`upload of ${key}: ${response.status}`)
    },
    send: (credential, request) => send(toUrl(credential, '/'), request),
    finishBackgroundWork: () => sleep(50),
    isCached: async (credential, path) =>
      (await callOtherWorker('GET', credential, path)).status === 200,
    async seedCache(credential, path, body) {
      await callOtherWorker('PUT', credential, path, body)
    },
    setFault: faults.set,
    countStoreReads: faults.countReads,
  }
  return {
    ...harness,
    server,
    toUrl,
    lines,
    async stop() {
      await miniflare.dispose()
      await server.close()
    },
  }
}

// Another worker that shares the edge cache: it looks up entries and writes its own.
const OTHER_WORKER = {
  name: 'other-worker',
  modules: true,
  compatibilityDate: COMPATIBILITY_DATE,
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  script: `export default {
    async fetch(request) {
      const key = decodeURIComponent(new URL(request.url).search.slice(1))
      if (request.method === 'PUT') {
        const headers = { 'cache-control': 'max-age=600' }
        await caches.default.put(key, new Response(await request.text(), { headers }))
        return new Response()
      }
      const hit = await caches.default.match(key)
      await hit?.body?.cancel()
      return new Response(null, { status: hit ? 200 : 404 })
    },
  }`,
}

/** Sends a request with its path exactly as given, which fetch() would normalise. */
function send(
  origin: string,
  { path, method = 'GET', headers, body }: SentRequest & { body?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const outgoing = request(
      { hostname, port, path, method, headers, agent: false },
      async (incoming) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of incoming) chunks.push(chunk)
          const responseHeaders = new Headers()
          for (const [name, value] of Object.entries(incoming.headers))
            responseHeaders.set(name, String(value))
          resolve({
            status: incoming.statusCode ?? 0,
            headers: responseHeaders,
            body: Buffer.concat(chunks).toString(),
          })
        } catch (error) {
          reject(error)
        }
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
