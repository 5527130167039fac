import { html } from 'hono/html'
import type { PanelData } from '../data.ts'
import type { RequestRow } from '../request-rows.ts'

export function toRequestsSection({ requests }: PanelData): ReturnType<typeof html> {
  if (requests.length === 0) return html`<p>No request yet. Open a page of an environment.</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The last 200 requests">
<table><thead><tr>${HEADINGS.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${requests.map(toRow)}</tbody></table></div>`
}

const HEADINGS = ['Time', 'Host', 'Path', 'Status', 'Layer', 'Cache status', 'ms', 'Origin calls']

function toRow(row: RequestRow): ReturnType<typeof html> {
  const { time, host, method, path, status, layer, cacheStatus, milliseconds, originCalls } = row
  return html`<tr class="${status >= 500 ? 'bad' : ''}"><td>${time.toISOString().slice(11, 19)}</td>
<td>${host}</td><td><code>${method === 'GET' ? '' : `${method} `}${path}</code></td><td>${status}</td>
<td>${layer}</td><td>${cacheStatus}</td><td>${milliseconds}</td><td>${originCalls}</td></tr>`
}
