import { build } from 'esbuild'

// A worker over the Cache API that shares nothing: look up, else fetch, pass on and put.
const MATCH_OR_PUT = `
import { AwsClient } from 'aws4fetch'
let client
export default {
  async fetch(request, env, context) {
    const hit = await caches.default.match(request)
    if (hit) return hit
    client ??= new AwsClient({
      accessKeyId: env.STORE_ACCESS_KEY_ID,
      secretAccessKey: env.STORE_SECRET_ACCESS_KEY,
      region: env.STORE_REGION,
      service: 's3',
      retries: 0,
    })
    const key = new URL(request.url).pathname.slice('/cmp-media/'.length)
    const found = await client.fetch(env.STORE_ENDPOINT + '/' + env.STORE_BUCKET + '/' + key)
    const response = new Response(found.body, found)
    response.headers.delete('set-cookie')
    response.headers.set('cache-control', 'max-age=600')
    context.waitUntil(caches.default.put(request, response.clone()))
    return response
  },
}`

/** A plain worker over the Cache API, to compare with. */
export async function bundleMatchOrPut(): Promise<string> {
  const stdin = { contents: MATCH_OR_PUT, resolveDir: import.meta.dirname }
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const
  const { outputFiles } = await build({ stdin, ...options })
  return outputFiles[0]?.text ?? ''
}
