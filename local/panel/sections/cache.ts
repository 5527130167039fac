import { html } from 'hono/html'
import type { CacheView, PanelData } from '../data.ts'
import type { InspectedEntry, InspectedInvalidation } from '../inspection.ts'
import type { PageVerdict } from '../verdict.ts'

type Html = ReturnType<typeof html>

const MAX_INVALIDATIONS = 20

export function toCacheSection({ cache, judge }: PanelData): Html {
  if (!cache) return html`<p>No environment caches pages.</p>`
  const { host, hosts, inspection, failure } = cache
  return html`<form method="get" action="/#cache" class="row">
<label for="cache-host">Host</label>
<select id="cache-host" name="host">${hosts.map(
    (each) => html`<option${each === host ? html` selected` : ''}>${each}</option>`,
  )}</select><button>Show</button></form>
${failure ? html`<p class="notice">The cache cannot be read: ${failure}</p>` : ''}
${inspection ? toInspection(inspection, judge) : ''}`
}

function toInspection(
  { entries, isComplete, invalidations, state }: NonNullable<CacheView['inspection']>,
  judge: PanelData['judge'],
): Html {
  const followed = state?.followed_at
    ? `The change log was read up to revision ${state.revision}, ${toAge(state.followed_at)} ago.`
    : 'The change log has not been read yet.'
  return html`<p>${followed}${state?.failure ? ` The last run failed: ${state.failure}` : ''}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Cached entries">
<table><thead><tr>${['Path', 'Verdict', 'Rendered', 'Layers'].map(
    (heading) => html`<th scope="col">${heading}</th>`,
  )}</tr></thead><tbody>${entries.map((entry) => toEntryRow(entry, judge(entry)))}</tbody></table></div>
${isComplete ? '' : html`<p>Only the first ${entries.length} entries are shown.</p>`}
<h3>Invalidation log</h3>
${invalidations.length === 0 ? html`<p>The log is empty.</p>` : toInvalidations(invalidations)}`
}

function toEntryRow(
  { key, metadata, edgeAge }: InspectedEntry,
  verdict: PageVerdict | undefined,
): Html {
  const renderedAt = metadata?.renderedAt
  const age = typeof renderedAt === 'number' ? `${toAge(renderedAt)} ago` : ''
  const layers = edgeAge === null ? 'KV' : `edge (${edgeAge} s), KV`
  return html`<tr><th scope="row"><code>${key.replace(/^[^:]*:/, '')}</code></th>
<td>${verdict ? html`<span class="verdict ${verdict}">${verdict}</span>` : ''}</td><td>${age}</td><td>${layers}</td></tr>`
}

function toInvalidations(rows: readonly InspectedInvalidation[]): Html {
  return html`<table><thead><tr>${['Sequence', 'Kind', 'Path', 'Written'].map(
    (heading) => html`<th scope="col">${heading}</th>`,
  )}</tr></thead><tbody>${rows.slice(0, MAX_INVALIDATIONS).map(
    ({ sequence, kind, path, written_at }) => html`<tr><td>${sequence}</td><td>${kind}</td>
<td>${path === '' ? 'the whole host' : html`<code>${path}</code>`}</td><td>${toAge(written_at)} ago</td></tr>`,
  )}</tbody></table>`
}

function toAge(instant: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - instant) / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
