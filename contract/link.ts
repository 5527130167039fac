import { LanguageCode, SitePath } from './primitives.ts'

/** A translation named by `Link: <path>; rel="alternate"; hreflang="xx"` (RFC 8288). */
export interface LinkedAlternate {
  language: string
  path: string
}

// `<target>` and its parameters: `; name=value` or `; name="value"`.
const LINK = /<([^>]*)>((?:\s*;\s*[a-z]+=(?:"[^"]*"|[^\s;,"]+))*)/gi

/** Parses the `Link` header of a 204; links without a valid path and language are omitted. */
export function parseAlternates(link: string | null): LinkedAlternate[] {
  return [...(link ?? '').matchAll(LINK)].flatMap(([, target, parameters = '']) => {
    const path = SitePath.safeParse(target)
    const language = LanguageCode.safeParse(findParameter(parameters, 'hreflang'))
    const isAlternate = findParameter(parameters, 'rel') === 'alternate'
    return isAlternate && path.success && language.success
      ? [{ language: language.data, path: path.data }]
      : []
  })
}

/** Returns the alternates as the value of a `Link` header. */
export function toLinkHeader(alternates: readonly LinkedAlternate[]): string {
  return alternates
    .map(({ path, language }) => `<${path}>; rel="alternate"; hreflang="${language}"`)
    .join(', ')
}

/** Returns the value of a link parameter in lower case. */
function findParameter(parameters: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}="?([^";]*)"?`, 'i').exec(parameters)?.[1]?.toLowerCase()
}
