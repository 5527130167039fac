import { html } from 'hono/html'
import type { Binding } from '../../emulators/cloudflare/bindings.ts'
import type { DeclaredResource, EnvironmentView, PanelData } from '../data.ts'

type Html = ReturnType<typeof html>

export function toEnvironmentsSection({ environments }: PanelData): Html {
  if (environments.length === 0)
    return html`<p>Nothing is declared yet. Resources that the Pulumi CLI deploys appear here.</p>`
  return html`<div class="cards">${environments.map(toCard)}</div>`
}

function toCard(environment: EnvironmentView): Html {
  const { stack, script, urls, homeUrl, api, bindings, crons, resources } = environment
  return html`<article class="card">
<h3>${stack}</h3>
<p><code>${script}</code></p>
<ul class="links">
${urls.map((url) => html`<li>${url === homeUrl ? html`<a href="${url}">${url}</a>` : html`<code>${url}…</code>`}</li>`)}
${api ? html`<li><a href="${api}docs">API reference</a></li>` : ''}
${api ? html`<li>Studio: <code>npm run studio -- ${stack}</code></li>` : ''}
</ul>
${crons.length > 0 ? html`<p>Cron: ${crons.map((cron) => html`<code>${cron}</code> `)}</p>` : ''}
<details><summary>${bindings.length} bindings</summary>
<table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Value</th></tr></thead>
<tbody>${bindings.map(toBindingRow)}</tbody></table></details>
${toResources(resources)}
</article>`
}

function toBindingRow(binding: Binding): Html {
  return html`<tr><th scope="row">${binding.name}</th><td>${binding.type}</td>
<td><code>${toShownValue(binding)}</code></td></tr>`
}

/** Returns the value to show; hides secrets. */
function toShownValue(binding: Binding): string {
  switch (binding.type) {
    case 'plain_text':
      return binding.text
    case 'json':
      return binding.json
    case 'kv_namespace':
      return binding.namespaceId
    case 'd1':
      return binding.databaseId
    case 'service':
      return binding.service
    case 'ratelimit':
      return `${binding.simple.limit} per ${binding.simple.period} s`
    case 'secret_text':
      return 'secret'
    default:
      return binding satisfies never
  }
}

function toResources(resources: readonly DeclaredResource[]): Html | '' {
  if (resources.length === 0) return ''
  return html`<details><summary>${resources.length} declared resources</summary>
<table><thead><tr><th scope="col">Resource</th><th scope="col">On this machine</th></tr></thead>
<tbody>${resources.map(
    ({ type, name, local }) =>
      html`<tr><th scope="row">${name}<br><small>${type}</small></th><td>${local}</td></tr>`,
  )}</tbody></table></details>`
}
