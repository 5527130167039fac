import { verifyPreview } from '../../../contract/preview.ts'
import { toCacheControl } from '../../../http/cache-control.ts'
import { toCacheStatus } from '../../../http/cache-status.ts'
import { withQuery } from '../../../http/path.ts'
import type { Decision } from '../decide.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { renderPageOrNotFound, toPlainNotFoundPage } from '../render-page.ts'
import type { RenderedPage } from '../rendering/render-route.ts'
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
const PRIVATE_HEADERS = {
  'cache-control': toCacheControl({ private: true, noStore: true }),
  'cache-status': toCacheStatus('cms-edge', { fwd: 'bypass', detail: 'preview' }),
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

/** Renders a page with unpublished content, without any cache. The API is called only after authorization. */
export async function handlePreview(
  request: Request,
  preview: Preview,
  { config, ports, openClient }: Deps,
  scope: Scope,
): Promise<Response> {
  const rejection = await checkPreviewAccess(request, preview, config, ports.now())
  if (rejection) return rejection
  const { path, query, version } = preview
  if (version !== undefined && !VERSION.test(version))
    return toProblem(
      'validation_error',
      `_version "${version}" is not a whole number of at least 1.`,
    )
  const client = openClient(scope, { previewSecret: config.adminSecret ?? '' })
  const settings = await client.settings(config.site)
  if (settings.type !== 'ok') return toResponse(toPlainNotFoundPage(), request.method)
  const source = {
    config,
    ports,
    client,
    settings: settings.value,
    path,
    query,
    preview: version === undefined ? {} : { version: Number(version) },
  }
  const rendered = await renderPageOrNotFound(source)
  return rendered.type === 'page'
    ? toResponse(rendered, request.method)
    : toRedirect(rendered, request)
}

/** Adds headers that keep the response, and the token in its URL, private. */
export function markPrivate(response: Response): Response {
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) response.headers.set(name, value)
  return response
}

// The token `1` requires the bearer token, every other one is the signature of a preview link.
async function checkPreviewAccess(
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

function toRedirect({ status, location }: { status: number; location: string }, { url }: Request) {
  const headers = {
    ...SECURITY_HEADERS,
    ...PRIVATE_HEADERS,
    location: withQuery(location, new URL(url).search),
  }
  return new Response(null, { status, headers })
}

function toResponse(page: RenderedPage, method: string): Response {
  const headers = {
    ...SECURITY_HEADERS,
    ...page.headers,
    ...PRIVATE_HEADERS,
    'content-type': page.contentType,
  }
  return new Response(method === 'HEAD' ? null : page.body, { status: page.status, headers })
}
