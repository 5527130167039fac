import type { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  type CloudflareAccount,
  CloudflareError,
  putCrons,
  putScript,
  putWorkersDev,
} from './account.ts'
import { findScript } from './scripts.ts'
import { parseBody, toEnvelope, toListEnvelope, toWireBinding } from './wire-format.ts'

const SCRIPT = '/accounts/:account/workers/scripts/:name'
const Secret = z.object({ name: z.string(), text: z.string(), type: z.literal('secret_text') })
const Schedules = z.array(z.object({ cron: z.string() }))
const Subdomain = z.object({
  enabled: z.boolean(),
  previews_enabled: z._default(z.boolean(), false),
})

/** Serves the secrets, schedules and workers.dev subdomain of scripts. */
export function serveScriptParts(api: Hono, cloudflare: CloudflareAccount): void {
  serveSecrets(api, cloudflare)
  serveSchedules(api, cloudflare)
  serveSubdomain(api, cloudflare)
}

function serveSecrets(api: Hono, cloudflare: CloudflareAccount): void {
  const isSecret = ({ type }: { type: string }) => type === 'secret_text'
  api.get(`${SCRIPT}/secrets`, ({ req, json }) => {
    const { bindings } = findScript(cloudflare, req.param('name'))
    return json(toListEnvelope(bindings.filter(isSecret).map(toWireBinding)))
  })
  api.put(`${SCRIPT}/secrets`, async ({ req, json }) => {
    const script = findScript(cloudflare, req.param('name'))
    const secret = parseBody(Secret, await req.json())
    const others = script.bindings.filter(({ name }) => name !== secret.name)
    putScript(cloudflare, req.param('name'), { ...script, bindings: [...others, secret] })
    return json(toEnvelope(toWireBinding(secret)))
  })
  api.delete(`${SCRIPT}/secrets/:secret`, ({ req, json }) => {
    const script = findScript(cloudflare, req.param('name'))
    const name = req.param('secret')
    const bindings = script.bindings.filter((each) => !isSecret(each) || each.name !== name)
    if (bindings.length === script.bindings.length) {
      throw new CloudflareError(404, 10056, `there is no secret ${name}`)
    }
    putScript(cloudflare, req.param('name'), { ...script, bindings })
    return json(toEnvelope(null))
  })
}

function serveSchedules(api: Hono, cloudflare: CloudflareAccount): void {
  const show = (name: string) => {
    findScript(cloudflare, name)
    const schedules = (cloudflare.crons.get(name) ?? []).map((cron) => ({ cron }))
    return toEnvelope({ schedules })
  }
  api.get(`${SCRIPT}/schedules`, ({ req, json }) => json(show(req.param('name'))))
  api.put(`${SCRIPT}/schedules`, async ({ req, json }) => {
    const schedules = parseBody(Schedules, await req.json())
    const crons = schedules.map(({ cron }) => cron)
    putCrons(cloudflare, req.param('name'), crons)
    return json(show(req.param('name')))
  })
}

function serveSubdomain(api: Hono, cloudflare: CloudflareAccount): void {
  const disabled = { enabled: false, previewsEnabled: false }
  const show = (name: string) => {
    findScript(cloudflare, name)
    const { enabled, previewsEnabled } = cloudflare.workersDev.get(name) ?? disabled
    return toEnvelope({ enabled, previews_enabled: previewsEnabled })
  }
  api.get(`${SCRIPT}/subdomain`, ({ req, json }) => json(show(req.param('name'))))
  api.post(`${SCRIPT}/subdomain`, async ({ req, json }) => {
    const { enabled, previews_enabled } = parseBody(Subdomain, await req.json())
    const state = { enabled, previewsEnabled: previews_enabled }
    putWorkersDev(cloudflare, req.param('name'), state)
    return json(show(req.param('name')))
  })
  api.delete(`${SCRIPT}/subdomain`, ({ req, json }) => {
    putWorkersDev(cloudflare, req.param('name'), disabled)
    return json(show(req.param('name')))
  })
}
