import { Hono } from 'hono'
import { signPreview } from '../../contract/preview.ts'
import { requestLocal } from '../lib/local-request.ts'
import type { PanelDeps } from './data.ts'
import { FAULTS, type FaultName } from './faults.ts'

type Form = Record<string, unknown>

const HOUR_MS = 3600 * 1000

/** Handles the panel's forms. A preview redirects to its page, other actions to the panel with a message. */
export function createActions(deps: PanelDeps): Hono {
  const actions = new Hono()
  const serve = (path: string, run: (form: Form) => Promise<string>) =>
    actions.post(path, async (context) => {
      const message = await run(await context.req.parseBody()).catch(
        (error: Error) => error.message,
      )
      return context.redirect(`/?${new URLSearchParams({ message })}#actions`, 303)
    })
  serve('/purge', (form) => purge(deps, form))
  serve('/cron', (form) => runCron(deps, form))
  serve('/fault', (form) => switchFault(deps, form))
  actions.post('/preview', async (context) => {
    const link = await toPreviewLink(deps, await context.req.parseBody())
    return context.redirect(link, 303)
  })
  return actions
}

async function purge(deps: PanelDeps, form: Form): Promise<string> {
  const { host, homeUrl, secret } = findSite(deps, form)
  const path = String(form.path ?? '')
  const scope = path === '' ? { site: true } : { url: path }
  const { status, body } = await requestLocal(new URL('/__cms/purge', homeUrl).href, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ host, ...scope }),
  })
  return `Purge of ${host}${path || ' (whole host)'}: ${status} ${body}`
}

async function runCron(deps: PanelDeps, form: Form): Promise<string> {
  const { script, crons } = findSite(deps, form)
  const query = new URLSearchParams({ script, cron: crons[0] ?? '* * * * *' })
  const headers = { 'local-cron-token': deps.edgeToken }
  const response = await fetch(`http://127.0.0.1:${deps.edgePort}/?${query}`, { headers })
  return `Cron of ${script}: ${response.ok ? 'ran' : `failed with ${response.status}`}.`
}

async function switchFault({ faults }: PanelDeps, form: Form): Promise<string> {
  const name = String(form.name)
  if (!isFault(name)) throw new Error(`There is no fault "${name}".`)
  const [title, effect] = FAULTS[name]
  if (form.state === 'on') {
    await faults.inject(name)
    return `Injected: ${title}. ${effect}`
  }
  await faults.clear(name)
  return `Cleared: ${title}.`
}

const isFault = (name: string): name is FaultName => Object.hasOwn(FAULTS, name)

/** Returns the URL of a page's preview, which is valid for an hour. */
async function toPreviewLink(deps: PanelDeps, form: Form): Promise<string> {
  const { host, secret, homeUrl } = findSite(deps, form)
  const path = String(form.path || '/')
  const expiry = Date.now() + HOUR_MS
  const token = await signPreview(secret, { host, path, version: undefined }, expiry)
  return new URL(`${path}?_preview=${token}`, homeUrl).href
}

/** @throws Error when the form names no site environment, or one without a purge secret */
function findSite(deps: PanelDeps, form: Form) {
  const environment = deps.environments().find(({ stack }) => stack === form.stack)
  const homeUrl = environment?.homeUrl
  if (!environment || !homeUrl) throw new Error(`There is no site environment "${form.stack}".`)
  const bindings = deps.cloudflare.scripts.get(environment.script)?.bindings ?? []
  const secret = bindings.find(({ name }) => name === 'ADMIN_PURGE_SECRET')
  if (!secret || !('text' in secret)) throw new Error(`${environment.stack} has no purge secret.`)
  const crons = deps.cloudflare.crons.get(environment.script) ?? []
  const { hostname: host } = new URL(homeUrl)
  return { host, homeUrl, script: environment.script, secret: secret.text, crons }
}
