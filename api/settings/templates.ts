import { Document, LanguageCode } from '../../contract/primitives.ts'
import {
  type ResolvedTemplate,
  TEMPLATE_ORIGINS,
  type TemplateOrigin,
  type TemplateType,
} from '../../contract/template.ts'
import { parseOrReport } from '../omissions/repair.ts'
import { type ReportOmission, withSourceRow } from '../omissions/source-row.ts'
import type { TemplateRow, TemplateSourceRow } from './queries.ts'

type Language = string | null

interface Candidate {
  origin: TemplateOrigin
  language: Language
  source: string
}

/**
 * Returns the templates of a site, one for each language with a source of its own and one for all other languages. With
 * `onlyLanguage`, there is one template per key, the one that this language uses. The sources of a template are sorted
 * by precedence: override, block, element. Of the same origin, the source for one language precedes the source for all
 * languages. A template without a valid source is omitted.
 */
export function resolveTemplates(
  elements: readonly TemplateRow[],
  onlyLanguage: string | undefined,
  report: ReportOmission,
): ResolvedTemplate[] {
  return elements.flatMap((element) => {
    const candidates = toCandidates(element, report)
    const languages = new Set(candidates.map(({ language }) => language))
    // Null is for all languages without a source of their own.
    languages.add(null)
    const selected =
      onlyLanguage === undefined
        ? [...languages]
        : [languages.has(onlyLanguage) ? onlyLanguage : null]
    return selected.sort(byLanguage).flatMap((language) => resolve(element, candidates, language))
  })
}

function toCandidates(
  { id, source, blocks, overrides }: TemplateRow,
  report: ReportOmission,
): Candidate[] {
  const toCandidatesOf = (origin: TemplateOrigin, table: string, rows: TemplateSourceRow[]) =>
    rows.flatMap((row): Candidate[] => {
      const source = parseOrReport(
        Document,
        // `parseOrReport` would not report null.
        row.source ?? 0,
        { table, id: row.id, field: 'source' },
        report,
      )
      const language =
        row.language === null
          ? null
          : parseOrReport(
              LanguageCode,
              row.language,
              { table, id: row.id, field: 'language' },
              report,
            )
      return source === undefined || language === undefined ? [] : [{ origin, language, source }]
    })
  return [
    ...toCandidatesOf('element', 'template_elements', [{ id, language: null, source }]),
    ...toCandidatesOf('block', 'template_blocks', blocks),
    ...toCandidatesOf('override', 'template_overrides', overrides),
  ]
}

function resolve(
  { id, key, type, title }: TemplateRow,
  candidates: Candidate[],
  language: Language,
): ResolvedTemplate[] {
  const [first, ...fallbacks] = candidates
    .filter((candidate) => candidate.language === null || candidate.language === language)
    .sort((one, other) => precedenceOf(other) - precedenceOf(one))
    .map(({ origin, source }) => ({ origin, source }))
  if (!first) return []
  const template = { key, type: type as TemplateType, title, language, ...first, fallbacks }
  return [withSourceRow('template_elements', id, template)]
}

const precedenceOf = ({ origin, language }: Candidate): number =>
  2 * TEMPLATE_ORIGINS.indexOf(origin) + (language === null ? 0 : 1)

const byLanguage = (one: Language, other: Language): number =>
  (one ?? '').localeCompare(other ?? '')
