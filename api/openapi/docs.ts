import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'

const JAVASCRIPT = 'text/javascript; charset=utf-8'
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': JAVASCRIPT,
} as const

// Swagger UI sets styles from scripts, and its icons are data URLs.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Public read API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`

/**
 * Creates the pages below `/docs`: Swagger UI, which shows `/openapi.json`. All its files come from this server.
 * On requests to a loopback host, `/docs/start.js` contains the API key `key`, so that "Try it out" works.
 */
export function createDocs(key: string | undefined): Hono {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const docs = new Hono()
  docs.use(etag(), async (context, next) => {
    await next()
    context.header('content-security-policy', CONTENT_SECURITY_POLICY)
    context.header('x-content-type-options', 'nosniff')
  })
  docs.get('/', (context) => context.html(PAGE))
  docs.get('/start.js', (context) => {
    const { hostname } = new URL(context.req.url)
    const isLoopback = hostname === '127.0.0.1' || hostname === 'localhost'
    return context.body(toStartScript(isLoopback ? key : undefined), 200, {
      'content-type': JAVASCRIPT,
    })
  })
  for (const [name, type] of Object.entries(FILES)) {
    docs.get(`/${name}`, (context) =>
      context.body(readFileSync(join(folder, name), 'utf8'), 200, { 'content-type': type }),
    )
  }
  return docs
}

function toStartScript(key: string | undefined): string {
  const preauthorize = `onComplete: () => ui.preauthorizeApiKey('key', ${JSON.stringify(key)}),`
  return `const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  tryItOutEnabled: true,
  validatorUrl: null,
  ${key === undefined ? '' : preauthorize}
})
`
}
