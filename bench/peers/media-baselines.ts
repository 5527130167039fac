import { build } from 'esbuild'
import type { WorkerOptions } from 'miniflare'

/** The smallest worker that serves from the edge cache. */
export const MATCH_ONLY = 'export default { fetch: (request) => caches.default.match(request) }'

const READ_SIGNED = `
import { AwsClient } from 'aws4fetch'
let client
const read = (request, env) => {
  client ??= new AwsClient({
    accessKeyId: env.STORE_ACCESS_KEY_ID,
    secretAccessKey: env.STORE_SECRET_ACCESS_KEY,
    region: env.STORE_REGION,
    service: 's3',
    retries: 0,
  })
  const key = new URL(request.url).pathname.slice('/cmp-media/'.length)
  return client.fetch(env.STORE_ENDPOINT + '/' + env.STORE_BUCKET + '/' + key)
}`

// A miss fetches the object, returns it and stores it; concurrent misses share nothing.
const MATCH_OR_PUT = `
export default {
  async fetch(request, env, context) {
    const hit = await caches.default.match(request)
    if (hit) return hit
    const found = await read(request, env)
    const response = new Response(found.body, found)
    response.headers.delete('set-cookie')
    response.headers.set('cache-control', 'max-age=600')
    context.waitUntil(caches.default.put(request, response.clone()))
    return response
  },
}`

/** Bundles a worker that only signs each request and fetches it from the object store. */
export const bundleSignedFetch = (): Promise<string> =>
  bundle(`${READ_SIGNED}\nexport default { fetch: read }`)

/** Bundles a plain worker over the Cache API. */
export const bundleMatchOrPut = (): Promise<string> => bundle(READ_SIGNED + MATCH_OR_PUT)

async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: import.meta.dirname }
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const
  const { outputFiles } = await build({ stdin, ...options })
  return outputFiles[0]?.text ?? ''
}

/** Returns a baseline: the bindings and compatibility date of a worker, with another script. */
export function toBaseline(name: string, contents: string, worker: WorkerOptions): WorkerOptions {
  return {
    ...worker,
    name,
    modules: [{ type: 'ESModule', path: `${name}.js`, contents }],
  } as WorkerOptions
}
