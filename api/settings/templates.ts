import { Document, LanguageCode } from '../../contract/primitives.ts'
import {
  type ResolvedTemplate,
  TEMPLATE_ORIGINS,
  type TemplateOrigin,
  type TemplateType,
} from '../../contract/template.ts'
import { keepValid } from '../omissions/repair.ts'
import { fromRow, type Report } from '../omissions/row-origin.ts'
import type { TemplateRow, TemplateSourceRow } from './queries.ts'

type Language = string | null

interface Candidate {
  origin: TemplateOrigin
  language: Language
  source: string
}

/**
 * Resolves each element by precedence: override, block, element; on one level, a source for one language precedes the
 * source for every language. With `only`, returns one template per key, the one for that language. An element without
 * a valid source is omitted.
 */
export function resolveTemplates(
  elements: readonly TemplateRow[],
  only: string | undefined,
  report: Report,
): ResolvedTemplate[] {
  return elements.flatMap((element) => {
    const candidates = toCandidates(element, report)
    const languages = new Set(candidates.map(({ language }) => language))
    // Null stands for every language without a source of its own.
    languages.add(null)
    const wanted = only === undefined ? [...languages] : [languages.has(only) ? only : null]
    return wanted.sort(byLanguage).flatMap((language) => resolve(element, candidates, language))
  })
}

function toCandidates({ id, source, blocks, overrides }: TemplateRow, report: Report): Candidate[] {
  const toLevel = (origin: TemplateOrigin, table: string, rows: TemplateSourceRow[]) =>
    rows.flatMap((row): Candidate[] => {
      const source = keepValid(
        Document,
        row.source ?? 0,
        { table, id: row.id, field: 'source' },
        report,
      )
      const language =
        row.language === null
          ? null
          : keepValid(LanguageCode, row.language, { table, id: row.id, field: 'language' }, report)
      return source === undefined || language === undefined ? [] : [{ origin, language, source }]
    })
  return [
    ...toLevel('element', 'template_elements', [{ id, language: null, source }]),
    ...toLevel('block', 'template_blocks', blocks),
    ...toLevel('override', 'template_overrides', overrides),
  ]
}

function resolve(
  { id, key, type, title }: TemplateRow,
  candidates: Candidate[],
  language: Language,
): ResolvedTemplate[] {
  const [strongest, ...fallbacks] = candidates
    .filter((candidate) => candidate.language === null || candidate.language === language)
    .sort((one, other) => strengthOf(other) - strengthOf(one))
    .map(({ origin, source }) => ({ origin, source }))
  if (!strongest) return []
  const template = { key, type: type as TemplateType, title, language, ...strongest, fallbacks }
  return [fromRow('template_elements', id, template)]
}

const strengthOf = ({ origin, language }: Candidate): number =>
  2 * TEMPLATE_ORIGINS.indexOf(origin) + (language === null ? 0 : 1)

const byLanguage = (one: Language, other: Language): number =>
  (one ?? '').localeCompare(other ?? '')
