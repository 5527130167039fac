import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import {
  type CloudflareAccount,
  CloudflareError,
  putScript,
  removeScript,
  type Script,
} from './account.ts'
import { parseScript, toEnvelope, toListEnvelope, toWireSettings } from './wire-format.ts'

const SCRIPTS = '/accounts/:account/workers/scripts'

/** Serves scripts: their modules, bindings and settings. */
export function serveScripts(api: Hono, cloudflare: CloudflareAccount): void {
  const { scripts } = cloudflare
  api.get(SCRIPTS, ({ json }) =>
    json(toListEnvelope([...scripts].map(([name, script]) => toWireScript(name, script)))),
  )
  api.get('/accounts/:account/workers/services/:name', ({ req, json }) => {
    const id = req.param('name')
    const script = toWireScript(id, findScript(cloudflare, id))
    return json(toEnvelope({ id, default_environment: { environment: 'production', script } }))
  })
  api.put(`${SCRIPTS}/:name`, async ({ req, json }) => {
    const name = req.param('name')
    const { metadata, content } = await readUpload(req.raw)
    const script = parseScript(metadata, content, scripts.get(name))
    putScript(cloudflare, name, script)
    return json(toEnvelope(toWireScript(name, script)))
  })
  api.delete(`${SCRIPTS}/:name`, ({ req, json }) => {
    removeScript(cloudflare, req.param('name'), { force: req.query('force') === 'true' })
    return json(toEnvelope({ id: req.param('name') }))
  })
  api.get(`${SCRIPTS}/:name/content/v2`, ({ req }) => {
    const { mainModule, content } = findScript(cloudflare, req.param('name'))
    const form = new FormData()
    const type = 'application/javascript+module'
    form.set(mainModule, new File([content], mainModule, { type }))
    return new Response(form)
  })
  api.get(`${SCRIPTS}/:name/settings`, ({ req, json }) =>
    json(toEnvelope(toWireSettings(findScript(cloudflare, req.param('name'))))),
  )
  api.patch(`${SCRIPTS}/:name/settings`, async ({ req, json }) => {
    const old = findScript(cloudflare, req.param('name'))
    const changes = JSON.parse(await toText((await req.formData()).get('settings')))
    // A list of bindings replaces the previous one; without a list, all bindings stay.
    const bindings = old.bindings.map(({ name }) => ({ type: 'inherit', name }))
    const merged = { ...toWireSettings(old), main_module: old.mainModule, bindings, ...changes }
    const script = parseScript(merged, old.content, old)
    putScript(cloudflare, req.param('name'), script)
    return json(toEnvelope(toWireSettings(script)))
  })
}

/**
 * Returns the script with a name.
 *
 * @throws CloudflareError 404 when there is none
 */
export function findScript({ scripts }: CloudflareAccount, name: string): Script {
  const script = scripts.get(name)
  if (script) return script
  throw new CloudflareError(404, 10007, 'This Worker does not exist on your account.')
}

function toWireScript(id: string, { content, settings, ...script }: Script) {
  return {
    ...settings,
    id,
    etag: createHash('sha256').update(content).digest('hex'),
    has_assets: false,
    has_modules: true,
    handlers: ['fetch'],
    compatibility_date: script.compatibilityDate,
    compatibility_flags: script.compatibilityFlags,
    last_deployed_from: 'api',
    usage_model: 'standard',
  }
}

async function readUpload(request: Request): Promise<{ metadata: unknown; content: string }> {
  const form = await request.formData().catch(() => {
    throw new CloudflareError(400, 10021, 'an upload must be a form with metadata and modules')
  })
  const metadata = JSON.parse(await toText(form.get('metadata')))
  const content = form.get(String(metadata?.main_module))
  if (content === null)
    throw new CloudflareError(400, 10021, `No such module "${metadata?.main_module}"`)
  return { metadata, content: await toText(content) }
}

async function toText(part: File | string | null): Promise<string> {
  return part instanceof Blob ? part.text() : (part ?? 'null')
}
