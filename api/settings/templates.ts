import {
  type ResolvedTemplate,
  TEMPLATE_ORIGINS,
  type TemplateOrigin,
  type TemplateType,
} from '../../contract/template.ts'
import type { TemplateRecord } from './queries.ts'

type Language = string | null

interface Candidate {
  origin: TemplateOrigin
  language: Language
  source: string
}

/**
 * Resolves each element by precedence: override, block, element; what is made for a language comes before what serves
 * every one. With `only`, one template per key: the one that serves that language.
 */
export function resolveTemplates(
  elements: readonly TemplateRecord[],
  only: string | undefined,
): ResolvedTemplate[] {
  return elements.flatMap((element) => {
    const candidates = toCandidates(element)
    const own = new Set(candidates.map(({ language }) => language))
    const languages = only === undefined ? [...own] : [own.has(only) ? only : null]
    return languages.sort(byLanguage).map((language) => resolve(element, candidates, language))
  })
}

function toCandidates({ source, blocks, overrides }: TemplateRecord): Candidate[] {
  return [
    { origin: 'element', language: null, source },
    ...blocks.map((block): Candidate => ({ ...block, origin: 'block' })),
    ...overrides.map((override): Candidate => ({ ...override, origin: 'override' })),
  ]
}

function resolve(
  { key, type, title, source }: TemplateRecord,
  candidates: Candidate[],
  language: Language,
): ResolvedTemplate {
  const [strongest, ...fallbacks] = candidates
    .filter((candidate) => candidate.language === null || candidate.language === language)
    .sort((one, other) => strengthOf(other) - strengthOf(one))
    .map(({ origin, source }) => ({ origin, source }))
  const template = strongest ?? { origin: 'element', source }
  return { key, type: type as TemplateType, title, language, ...template, fallbacks }
}

const strengthOf = ({ origin, language }: Candidate): number =>
  TEMPLATE_ORIGINS.indexOf(origin) + (language === null ? 0 : TEMPLATE_ORIGINS.length)

const byLanguage = (one: Language, other: Language): number =>
  (one ?? '').localeCompare(other ?? '')
