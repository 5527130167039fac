import { verifyPreview } from '../../../contract/preview.ts'
import { toCacheControl } from '../../../http/cache-control.ts'
import { toCacheStatus } from '../../../http/cache-status.ts'
import type { Decision } from '../decide.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { noSuchSite, render } from '../render-page.ts'
import type { Rendered } from '../rendering/render-route.ts'
import { SECURITY_HEADERS } from '../security.ts'
import { checkAdminSecret, toUnauthorized } from './check-admin-secret.ts'
import { toProblem } from './problem.ts'

type Preview = Extract<Decision, { type: 'preview' }>
interface Deps {
  config: Config
  ports: Ports
  openClient: OpenClient
}

const VERSION = /^[1-9]\d{0,9}$/
const PRIVATE = {
  'cache-control': toCacheControl({ private: true, noStore: true }),
  'cache-status': toCacheStatus('cms-edge', { fwd: 'bypass', detail: 'preview' }),
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

/** A fresh page, unpublished content included, past every cache; the API is called only for visitors who may see it. */
export async function answerPreview(
  request: Request,
  preview: Preview,
  { config, ports, openClient }: Deps,
  scope: Scope,
): Promise<Response> {
  const refusal = await refusePreview(request, preview, config, ports.now())
  if (refusal) return refusal
  const { path, query, version } = preview
  if (version !== undefined && !VERSION.test(version))
    return toProblem('validation_error', `_version "${version}" is not a whole number from 1.`)
  const client = openClient(scope, { previewSecret: config.adminSecret ?? '' })
  const settings = await client.settings(config.site)
  const shown = { path, query, preview: version === undefined ? {} : { version: Number(version) } }
  const rendered =
    settings.type === 'ok'
      ? await render({ config, ports, client, settings: settings.value, ...shown })
      : noSuchSite()
  return toResponse(rendered, request.method)
}

/** Keeps an answer, and the token in its URL, between the worker and the visitor. */
export function keepPrivate(response: Response): Response {
  for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value)
  return response
}

async function refusePreview(
  request: Request,
  { token, path, version }: Preview,
  config: Config,
  now: number,
): Promise<Response | undefined> {
  if (!config.adminSecret) return toUnauthorized()
  if (token === '1') return checkAdminSecret(request, config)
  const previewed = { host: config.host, path, version }
  return (await verifyPreview(config.adminSecret, previewed, token, now))
    ? undefined
    : toUnauthorized()
}

function toResponse(rendered: Rendered, method: string): Response {
  const headers = new Headers({
    ...SECURITY_HEADERS,
    ...(rendered.type === 'page' ? rendered.headers : { location: rendered.location }),
    ...PRIVATE,
  })
  if (rendered.type === 'redirect') return new Response(null, { status: rendered.status, headers })
  headers.set('content-type', rendered.contentType)
  return new Response(method === 'HEAD' ? null : rendered.body, {
    status: rendered.status,
    headers,
  })
}
