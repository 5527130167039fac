import { html } from 'hono/html'
import type { PanelData } from '../data.ts'
import { FAULTS } from '../faults.ts'

type Html = ReturnType<typeof html>

export function toActionsSection({ environments, faults }: PanelData): Html {
  const sites = environments.filter(({ homeUrl }) => homeUrl !== undefined)
  const stacks = sites.map(({ stack }) => stack)
  if (stacks.length === 0) return html`<p>No site environment is running.</p>`
  return html`<div class="cards">
${toForm({ id: 'purge', title: 'Purge', label: 'Path (empty: the whole host)', button: 'Purge', stacks })}
${toForm({ id: 'preview', title: 'Preview', label: 'Path', button: 'Open preview', stacks })}
${toForm({ id: 'cron', title: 'Cron', label: undefined, button: 'Run the cron now', stacks })}
</div>
<h3>Faults</h3>
<p>Cached pages are still served during each fault. See the requests above.</p>
<ul class="faults">${Object.entries(FAULTS).map(([name, [title, effect]]) => {
    const isOn = [...faults].some((each) => each === name)
    return html`<li><form method="post" action="/actions/fault">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="state" value="${isOn ? 'off' : 'on'}">
<button class="${isOn ? 'on' : ''}">${isOn ? 'Clear' : 'Inject'}: ${title}</button> ${effect}
</form></li>`
  })}</ul>`
}

interface ActionForm {
  id: 'purge' | 'preview' | 'cron'
  title: string
  /** Label of the path's field; undefined: the action has no path. */
  label: string | undefined
  button: string
  stacks: readonly string[]
}

function toForm({ id, title, label, button, stacks }: ActionForm): Html {
  return html`<form method="post" action="/actions/${id}" class="card">
<h3>${title}</h3>
<label for="${id}-stack">Environment</label>
<select id="${id}-stack" name="stack">${stacks.map((stack) => html`<option>${stack}</option>`)}</select>
${label ? html`<label for="${id}-path">${label}</label><input id="${id}-path" name="path" placeholder="/">` : ''}
<button>${button}</button>
</form>`
}
