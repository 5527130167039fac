import { build } from 'esbuild'
import type { WorkerOptions } from 'miniflare'

/** The smallest worker that serves from the edge cache. */
export const MATCH_ONLY = 'export default { fetch: (request) => caches.default.match(request) }'

const SIGNED_FETCH = `
import { AwsClient } from 'aws4fetch'
let client
export default {
  fetch(request, env) {
    client ??= new AwsClient({
      accessKeyId: env.STORE_ACCESS_KEY_ID,
      secretAccessKey: env.STORE_SECRET_ACCESS_KEY,
      region: env.STORE_REGION,
      service: 's3',
      retries: 0,
    })
    const key = new URL(request.url).pathname.slice('/cmp-media/'.length)
    return client.fetch(env.STORE_ENDPOINT + '/' + env.STORE_BUCKET + '/' + key)
  },
}`

/** Bundles a worker that only signs each request and fetches it from the object store. */
export async function bundleSignedFetch(): Promise<string> {
  const stdin = { contents: SIGNED_FETCH, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
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
