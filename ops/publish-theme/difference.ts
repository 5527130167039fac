import { createTwoFilesPatch } from 'diff'
import type { Plan, TemplateChange } from '../../themes/plan.ts'

const CONTEXT_LINES = 2

/**
 * Formats a plan: a unified diff per template, then uploads,
 * stylesheets, and the templates that it does not touch.
 */
export function toDifference(plan: Plan, uploads: readonly string[]): string {
  const lines = [
    ...plan.templates.map(toPatch),
    ...uploads.map((key) => `upload   ${key}`),
    ...plan.stylesheets.map(
      ({ before, after }) =>
        `site     ${before.acronym}: stylesheet ${after.slug} ${before.version} -> ${after.version}`,
    ),
    ...plan.kept.map(
      (path) => `keep     ${path}: only in the database, and not published from a file`,
    ),
  ]
  return lines.length > 0 ? lines.join('\n') : 'No difference.'
}

function toPatch({ path, before, after }: TemplateChange): string {
  const patch = createTwoFilesPatch(
    before ? `live/${path}` : '/dev/null',
    after ? path : '/dev/null',
    toText(before),
    toText(after),
    '',
    '',
    { context: CONTEXT_LINES },
  )
  return `${toVerb({ before, after }).padEnd(8)} ${path}\n${patch.replace(/^=+\n/, '')}`
}

function toVerb({ before, after }: Pick<TemplateChange, 'before' | 'after'>): string {
  if (!before) return 'add'
  return after ? 'change' : 'delete'
}

// The title of a default template is published too, so the diff includes it as in the file.
function toText(template: TemplateChange['after']): string {
  if (!template) return ''
  const { home, title, source } = template
  return home === 'default' ? `---\ntitle: ${title}\n---\n${source}` : source
}
