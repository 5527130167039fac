import { html } from 'hono/html'
import type { PanelData } from '../data.ts'

export function toRoutesSection({ routes, tried, exampleUrl }: PanelData): ReturnType<typeof html> {
  return html`<p>Cloudflare tries routes from the most specific to the least, and custom domains last.</p>
<table><thead><tr><th scope="col">Pattern</th><th scope="col">Kind</th><th scope="col">Worker</th></tr></thead>
<tbody>${routes.map(
    ({ pattern, kind, script }) =>
      html`<tr><th scope="row"><code>${pattern}</code></th><td>${kind}</td><td>${script ?? 'no worker'}</td></tr>`,
  )}</tbody></table>
<form method="get" action="/#routes" class="row">
<label for="try-url">Which worker handles this URL?</label>
<input id="try-url" name="url" type="text" inputmode="url" value="${tried?.url ?? exampleUrl}" required>
<button>Try</button>
</form>
${tried ? html`<p class="result"><strong>${tried.script ?? 'No worker'}</strong> handles it. ${tried.reason}</p>` : ''}`
}
