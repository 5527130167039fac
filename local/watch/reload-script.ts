import { createHash } from 'node:crypto'

/** Path of the event stream with which open pages are reloaded. */
export const EVENTS_PATH = '/__local/reload'

const SCRIPT = `new EventSource('${EVENTS_PATH}').onmessage=()=>location.reload()`
const SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** Returns a page with the script that reloads it. */
export function addReloadScript(html: string): string {
  const script = `<script>${SCRIPT}</script>`
  return html.includes('</body>') ? html.replace('</body>', `${script}</body>`) : html + script
}

/** Returns a Content-Security-Policy that allows this one script and its event stream as well. */
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
