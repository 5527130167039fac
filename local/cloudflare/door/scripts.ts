import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Cloudflare, putCrons, putScript, putWorkersDev } from '../cloudflare.ts'
import { Refusal, removeScript, type Script } from '../cloudflare.ts'
import { parseBody, parseScript, toEnvelope, toListEnvelope, toWireSettings } from './wire.ts'

const Schedules = z.array(z.object({ cron: z.string() }))
const Subdomain = z.object({
  enabled: z.boolean(),
  previews_enabled: z._default(z.boolean(), false),
})
const Secret = z.object({ name: z.string(), text: z.string(), type: z.literal('secret_text') })

/** Scripts of an account: `/workers/scripts/{name}` and what hangs on it, `/workers/services/{name}`. */
export function serveScripts(cloudflare: Cloudflare): Hono {
  const app = new Hono()
  const { scripts, crons, workersDev } = cloudflare
  const find = (name: string): Script => {
    const script = scripts.get(name)
    if (script) return script
    throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
  }

  app.get('/workers/scripts', (c) =>
    c.json(toListEnvelope([...scripts].map(([name, script]) => describe(name, script)))),
  )
  app.get('/workers/services/:name', (c) => {
    const name = c.req.param('name')
    const script = describe(name, find(name))
    return c.json(
      toEnvelope({ id: name, default_environment: { environment: 'production', script } }),
    )
  })
  app.put('/workers/scripts/:name', async (c) => {
    const name = c.req.param('name')
    const { metadata, content } = await readUpload(c.req.raw)
    const script = parseScript(metadata, content, scripts.get(name))
    putScript(cloudflare, name, script)
    return c.json(toEnvelope(describe(name, script)))
  })
  app.delete('/workers/scripts/:name', (c) => {
    removeScript(cloudflare, c.req.param('name'), c.req.query('force') === 'true')
    return c.json(toEnvelope({ id: c.req.param('name') }))
  })
  app.get('/workers/scripts/:name/content/v2', (c) => {
    const { mainModule, content } = find(c.req.param('name'))
    const form = new FormData()
    const type = 'application/javascript+module'
    form.set(mainModule, new File([content], mainModule, { type }))
    return new Response(form)
  })

  app.get('/workers/scripts/:name/settings', (c) =>
    c.json(toEnvelope(toWireSettings(find(c.req.param('name'))))),
  )
  app.patch('/workers/scripts/:name/settings', async (c) => {
    const old = find(c.req.param('name'))
    const form = await c.req.formData()
    const changes = JSON.parse(await toText(form.get('settings')))
    // A list of bindings replaces the one before; without one, all stay.
    const bindings = old.bindings.map(({ name }) => ({ type: 'inherit', name }))
    const merged = { ...toWireSettings(old), main_module: old.mainModule, bindings, ...changes }
    const script = parseScript(merged, old.content, old)
    putScript(cloudflare, c.req.param('name'), script)
    return c.json(toEnvelope(toWireSettings(script)))
  })

  app.get('/workers/scripts/:name/secrets', (c) =>
    c.json(toListEnvelope(find(c.req.param('name')).bindings.filter(isSecret).map(hide))),
  )
  app.put('/workers/scripts/:name/secrets', async (c) => {
    const script = find(c.req.param('name'))
    const secret = parseBody(Secret, await c.req.json())
    const others = script.bindings.filter(({ name }) => name !== secret.name)
    putScript(cloudflare, c.req.param('name'), { ...script, bindings: [...others, secret] })
    return c.json(toEnvelope(hide(secret)))
  })
  app.delete('/workers/scripts/:name/secrets/:secret', (c) => {
    const script = find(c.req.param('name'))
    const bindings = script.bindings.filter(
      (binding) => !isSecret(binding) || binding.name !== c.req.param('secret'),
    )
    if (bindings.length === script.bindings.length) throw new Refusal(404, 10056, 'no such secret')
    putScript(cloudflare, c.req.param('name'), { ...script, bindings })
    return c.json(toEnvelope(null))
  })

  const toSchedules = (name: string) => ({
    schedules: (crons.get(name) ?? []).map((cron) => ({ cron })),
  })
  app.get('/workers/scripts/:name/schedules', (c) => {
    find(c.req.param('name'))
    return c.json(toEnvelope(toSchedules(c.req.param('name'))))
  })
  app.put('/workers/scripts/:name/schedules', async (c) => {
    const schedules = parseBody(Schedules, await c.req.json())
    const expressions = schedules.map(({ cron }) => cron)
    putCrons(cloudflare, c.req.param('name'), expressions)
    return c.json(toEnvelope(toSchedules(c.req.param('name'))))
  })

  const toSubdomain = (name: string) => {
    const { enabled, previewsEnabled } = workersDev.get(name) ?? OFF
    return { enabled, previews_enabled: previewsEnabled }
  }
  app.get('/workers/scripts/:name/subdomain', (c) => {
    find(c.req.param('name'))
    return c.json(toEnvelope(toSubdomain(c.req.param('name'))))
  })
  app.post('/workers/scripts/:name/subdomain', async (c) => {
    const { enabled, previews_enabled } = parseBody(Subdomain, await c.req.json())
    const state = { enabled, previewsEnabled: previews_enabled }
    putWorkersDev(cloudflare, c.req.param('name'), state)
    return c.json(toEnvelope(toSubdomain(c.req.param('name'))))
  })
  app.delete('/workers/scripts/:name/subdomain', (c) => {
    putWorkersDev(cloudflare, c.req.param('name'), OFF)
    return c.json(toEnvelope(toSubdomain(c.req.param('name'))))
  })
  return app
}

const OFF = { enabled: false, previewsEnabled: false }

function describe(name: string, script: Script) {
  const etag = createHash('sha256').update(script.content).digest('hex')
  const { settings, compatibilityDate, compatibilityFlags } = script
  return {
    id: name,
    etag,
    has_assets: false,
    has_modules: true,
    handlers: ['fetch'],
    compatibility_date: compatibilityDate,
    compatibility_flags: compatibilityFlags,
    last_deployed_from: 'api',
    usage_model: 'standard',
    logpush: false,
    tail_consumers: null,
    ...settings,
  }
}

async function readUpload(request: Request): Promise<{ metadata: unknown; content: string }> {
  const form = await request.formData().catch(() => {
    throw new Refusal(400, 10021, 'an upload is a form of metadata and modules')
  })
  const metadata = JSON.parse(await toText(form.get('metadata')))
  const content = form.get(String(metadata.main_module))
  if (content === null) throw new Refusal(400, 10021, `No such module "${metadata.main_module}"`)
  return { metadata, content: await toText(content) }
}

async function toText(part: FormDataEntryValue | null): Promise<string> {
  return part instanceof Blob ? part.text() : (part ?? 'null')
}

const isSecret = ({ type }: { type: string }) => type === 'secret_text'
const hide = ({ name, type }: { name: string; type: string }) => ({ name, type })
