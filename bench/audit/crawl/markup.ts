import { HtmlValidate } from 'html-validate'
import type { Site } from './walk.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    'doctype-style': ['error', { style: 'lowercase' }],
    'no-inline-style': 'error',
    'long-title': 'off',
  },
})

/** Returns violations of html-validate's rules in all pages, as `<path>:<line> <rule> <message>`. */
export async function checkMarkup(site: Site): Promise<string[]> {
  const found: string[] = []
  for (const { path, html } of site.visits.values()) {
    if (!html) continue
    const { results } = await validator.validateString(html.source)
    for (const { line, ruleId, message } of results.flatMap(({ messages }) => messages))
      found.push(`${path}:${line} ${ruleId} ${message}`)
  }
  return found
}
