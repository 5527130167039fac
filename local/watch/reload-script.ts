import { createHash } from 'node:crypto'

/** Path of the event stream that reloads open pages. */
export const EVENTS_PATH = '/__local/reload'

const SCRIPT = `new EventSource('${EVENTS_PATH}').onmessage=()=>location.reload()`
const SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** Returns the page with the reload script added. */
export function addReloadScript(html: string): string {
  const script = `<script>${SCRIPT}</script>`
  return html.includes('</body>') ? html.replace('</body>', `${script}</body>`) : html + script
}

/** Returns the Content-Security-Policy, extended to allow the reload script and its event stream. */
export function allowReloadScript(policy: string): string {
  const directives = new Map(
    policy.split(';').flatMap((directive): [string, string[]][] => {
      const [name, ...sources] = directive.trim().split(/\s+/)
      return name ? [[name, sources]] : []
    }),
  )
  const allow = (name: string, source: string) => {
    const sources = directives.get(name) ?? directives.get('default-src') ?? []
    directives.set(name, [...sources.filter((each) => each !== "'none'"), source])
  }
  allow('script-src', SOURCE)
  allow('connect-src', "'self'")
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join('; ')
}
