import type { DeployedEnvironment } from './deploy/environments.ts'

/** Renders the page for a host without a route, with links to all environments. */
export function renderNotFoundPage(environments: readonly DeployedEnvironment[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing is declared for this host</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
  body { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.5rem; line-height: 1.25 }
  dt { padding-top: .75rem; border-top: 1px solid color-mix(in srgb, currentcolor 20%, transparent) }
  dd { margin: 0 0 .75rem }
</style>
<main>
  <h1>Nothing is declared for this host</h1>
  <p>No environment has a route or custom domain for this host. These exist:</p>
  <dl>${environments.map(toListEntry).join('')}</dl>
</main>
</html>
`
}

function toListEntry({ stack, urls, homeUrl }: DeployedEnvironment): string {
  const links = urls.map((url) => (url === homeUrl ? `<a href="${url}">${url}</a>` : `${url}…`))
  return `<dt>${stack}</dt>${links.map((link) => `<dd>${link}</dd>`).join('')}`
}
