import type { OpenApi, Operation } from './document.ts'

/** The reference page: every operation of the document, nothing from elsewhere. */
export function toDocs({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).map(([path, { get }]) => toSection(path, get))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${toHtml(info.title)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code { font-size: .9em } h2 { margin-top: 3rem; font-size: 1.1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; border-top: 1px solid #ccc }
</style>
<h1>${toHtml(info.title)} <small>v${toHtml(info.version)}</small></h1>
<p>Every request carries <code>Authorization: Bearer &lt;key&gt;</code>. Errors are
<code>application/problem+json</code>. The machine-readable form is <a href="/openapi.json">OpenAPI 3.1</a>.</p>
${operations.join('\n')}
</html>
`
}

function toSection(path: string, operation: Operation): string {
  const rows = (operation.parameters ?? []).map(({ in: place, name, required, schema }) =>
    toRow([`<code>${toHtml(name)}</code>`, place, required ? 'required' : '', toLimits(schema)]),
  )
  const answers = Object.entries(operation.responses).map(([status, { description }]) =>
    toRow([status, toHtml(description)]),
  )
  return `<h2><code>GET ${toHtml(path)}</code>${operation.deprecated ? ' (deprecated)' : ''}</h2>
<p>${toHtml([operation.summary, operation.description].filter(Boolean).join('. '))}</p>
<table>${rows.join('')}</table>
<table>${answers.join('')}</table>`
}

const SHOWN = ['type', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'default']

const toLimits = (schema: Record<string, unknown>): string =>
  SHOWN.filter((word) => schema[word] !== undefined)
    .map((word) => `${word}: <code>${toHtml([schema[word]].flat().join(', '))}</code>`)
    .join('; ')

const toRow = (cells: string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const toHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
