import { html } from 'hono/html'
import type { PanelData } from './data.ts'
import { toActionsSection } from './sections/actions.ts'
import { toCacheSection } from './sections/cache.ts'
import { toEnvironmentsSection } from './sections/environments.ts'
import { toRequestsSection } from './sections/requests.ts'
import { toRoutesSection } from './sections/routes.ts'

type Html = ReturnType<typeof html>

const SECTIONS = {
  environments: 'Environments',
  routes: 'Routes',
  requests: 'Requests',
  cache: 'Cache',
  actions: 'Actions',
} as const

/** Renders the panel. It works without its script, which only refreshes the sections. */
export function renderPanelPage(data: PanelData): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>cms-edge on this machine</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/panel.css">
<script src="/panel.js" defer></script>
</head>
<body>
<header>
<p class="title">cms-edge <span>on this machine</span></p>
<nav aria-label="Sections"><ul>${Object.entries(SECTIONS).map(
    ([id, name]) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>
</header>
<main>
<h1>Local environments</h1>
<p>Everything below runs on this machine as the Pulumi stacks declare it.</p>
${toNotices(data)}
${toSection('environments', toEnvironmentsSection(data))}
${toSection('routes', toRoutesSection(data))}
${toSection('requests', toRequestsSection(data))}
${toSection('cache', toCacheSection(data))}
${toSection('actions', toActionsSection(data))}
</main>
<footer><p>Logs are in <code>${data.logs}</code>, addresses and secrets in <code>.local/env</code>.</p></footer>
</body>
</html>`
}

function toSection(id: keyof typeof SECTIONS, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${SECTIONS[id]}</h2>
<div data-live="${id}">${content}</div>
</section>`
}

function toNotices({ message, notices }: PanelData): Html {
  const items = [...(message ? [message] : []), ...notices]
  return html`<div data-live="notices" role="status">${items.map(
    (item) => html`<p class="notice">${item}</p>`,
  )}</div>`
}
