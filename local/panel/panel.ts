import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { toErrorMessage } from '../lib/user-error.ts'
import { createActions } from './actions.ts'
import { type PanelData, type PanelDeps, readPanelData } from './data.ts'
import { renderPanelPage } from './page.ts'

const readAsset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const LOOPBACK = /^(localhost|127\.0\.0\.1)(:\d+)?$/

/**
 * Serves the panel of the local cloud: declared resources, requests, cache and actions. Rejects requests for
 * another host than localhost or 127.0.0.1, and actions from other pages.
 */
export function createPanel(deps: PanelDeps): Hono {
  const app = new Hono()
  const style = readAsset('panel.css')
  const script = readAsset('panel.client.js')
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
        // The preview's form redirects to a page of a site.
        formAction: ["'self'", 'http://*.localhost:*'],
      },
      referrerPolicy: 'same-origin',
      strictTransportSecurity: false,
      xFrameOptions: false,
    }),
    async (context, next) => {
      if (!LOOPBACK.test(context.req.header('host') ?? ''))
        return context.text('The panel is available only on localhost.', 421)
      if (context.req.method === 'POST' && !isSameOrigin(context))
        return context.text('Actions are accepted only from the panel.', 403)
      await next()
      context.header('cache-control', 'no-store')
    },
  )
  app.get('/', async (context) => context.html(renderPanelPage(await readData(deps, context))))
  app.get('/panel.css', (context) => context.body(style, 200, { 'content-type': 'text/css' }))
  app.get('/panel.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript' }),
  )
  app.route('/actions', createActions(deps))
  app.notFound((context) => context.text('Not found. The panel is at /.', 404))
  app.onError((error, context) => context.text(toErrorMessage(error), 500))
  return app
}

function isSameOrigin(context: Context): boolean {
  const origin = context.req.header('origin')
  return origin !== undefined && URL.parse(origin)?.host === context.req.header('host')
}

function readData(deps: PanelDeps, context: Context): Promise<PanelData> {
  return readPanelData(deps, {
    url: context.req.query('url'),
    host: context.req.query('host'),
    message: context.req.query('message'),
  })
}
