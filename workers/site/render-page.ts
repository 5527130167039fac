import type { SettingsBundle } from '../../contract/settings.ts'
import type { Config } from './env.ts'
import type { Ports } from './ports.ts'
import type { Client } from './read-api/client.ts'
import { toContentApi } from './read-api/open-client.ts'
import { type Rendered, renderPage } from './rendering/render-route.ts'
import { decideRoute } from './rendering/route.ts'
import type { SearchQuery } from './rendering/search-query.ts'

type Page = {
  config: Config
  ports: Ports
  client: Client
  settings: SettingsBundle
  path: string
  query?: SearchQuery
  preview?: { version?: number }
}

/** What the engine makes of a canonical path; nothing of the request but path and query goes in. */
export function render({
  config,
  ports,
  client,
  settings,
  path,
  ...more
}: Page): Promise<Rendered> {
  const { site, site_settings } = settings
  return renderPage(decideRoute(path, settings), {
    settings,
    canonicalOrigin: `https://${site.domain}`,
    indexable: site.domain.toLowerCase() === config.host,
    api: toContentApi(client, config.site),
    css: {
      slug: config.cssOverride.slug ?? site_settings.css_slug,
      version: config.cssOverride.version ?? site_settings.css_version,
    },
    now: new Date(ports.now()),
    warn: (message, fields) => ports.log('warn', { event: 'engine', message, path, ...fields }),
    ...more,
  })
}

/** The API knows no active site of this name. */
export function noSuchSite(): Rendered {
  return {
    type: 'page',
    pageType: 'not_found',
    status: 404,
    contentType: 'text/html; charset=utf-8',
    body: toHtml('Not found', 'There is no site here.'),
  }
}

/** A page that needs neither settings nor stylesheet. */
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
