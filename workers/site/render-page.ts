import type { SettingsBundle } from '../../contract/settings.ts'
import type { Config } from './env.ts'
import type { Ports } from './ports.ts'
import type { Client } from './read-api/client.ts'
import { toContentApi } from './read-api/open-client.ts'
import type { NotFound } from './rendering/pages/not-found-page.ts'
import type { RenderContext } from './rendering/render-context.ts'
import {
  type Rendered,
  type RenderedPage,
  renderNotFound,
  renderRoute,
} from './rendering/render-route.ts'
import { decideRoute } from './rendering/route.ts'
import type { SearchQuery } from './rendering/search-query.ts'

/** Inputs of a rendering. */
export interface PageSource {
  config: Config
  ports: Ports
  client: Client
  settings: SettingsBundle
  path: string
  query?: SearchQuery
  preview?: { version?: number }
  /** An earlier entry of the page exists. */
  hasPrevious?: boolean
}

/** Renders the page or file at a canonical path. A missing page is a `not-found` without a body. */
export function renderPath(source: PageSource): Promise<Rendered> {
  return renderRoute(decideRoute(source.path, source.settings), toRenderContext(source))
}

/** Renders the not-found page of a language. */
export function renderNotFoundPage(page: NotFound, source: PageSource): Promise<RenderedPage> {
  return renderNotFound(page, toRenderContext(source))
}

type PageOrRedirect = Exclude<Rendered, { type: 'not-found' }>

/** Renders the page or file at a canonical path; if it is missing, the not-found page. */
export async function renderPageOrNotFound(source: PageSource): Promise<PageOrRedirect> {
  const rendered = await renderPath(source)
  return rendered.type === 'not-found' ? renderNotFoundPage(rendered, source) : rendered
}

function toRenderContext({ config, ports, client, settings, path, ...rest }: PageSource) {
  const { site, site_settings } = settings
  return {
    settings,
    canonicalOrigin: `https://${site.domain}`,
    indexable: site.domain.toLowerCase() === config.host,
    api: toContentApi(client, config.site),
    css: {
      slug: config.cssOverride.slug ?? site_settings.css_slug,
      version: config.cssOverride.version ?? site_settings.css_version,
    },
    now: new Date(ports.now()),
    warn: (message, fields) =>
      ports.logEvent('warn', { event: 'rendering', message, path, ...fields }),
    ...rest,
  } satisfies RenderContext
}

/** Returns a plain 404 page, for when the API does not have the site, or no template can be rendered. */
export function toPlainNotFoundPage(): RenderedPage {
  return {
    type: 'page',
    pageType: 'not_found',
    status: 404,
    contentType: 'text/html; charset=utf-8',
    body: toHtml('Not found', 'There is nothing at this address.'),
  }
}

/** Returns a plain page, without settings or stylesheet. `title` and `text` are not escaped. */
export function toHtml(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`
}
