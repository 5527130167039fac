import { LanguageCode, SitePath } from './primitives.ts'

/** A translation named by `Link: <path>; rel="alternate"; hreflang="xx"` (RFC 8288). */
export type LinkedAlternate = { language: string; path: string }

const LINK = /<([^>]*)>((?:\s*;\s*[a-z]+=(?:"[^"]*"|[^\s;,"]+))*)/gi

/** Parses the alternates of a 204; links without a valid path and language are omitted. */
export function parseAlternates(link: string | null): LinkedAlternate[] {
  return [...(link ?? '').matchAll(LINK)].flatMap(([, target, parameters = '']) => {
    const path = SitePath.safeParse(target)
    const language = LanguageCode.safeParse(toParameter(parameters, 'hreflang'))
    const alternate = toParameter(parameters, 'rel') === 'alternate'
    return alternate && path.success && language.success
      ? [{ language: language.data, path: path.data }]
      : []
  })
}

/** The alternates as the value of a Link header. */
export function toAlternates(alternates: readonly LinkedAlternate[]): string {
  return alternates
    .map(({ path, language }) => `<${path}>; rel="alternate"; hreflang="${language}"`)
    .join(', ')
}

function toParameter(parameters: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}="?([^";]*)"?`, 'i').exec(parameters)?.[1]?.toLowerCase()
}
