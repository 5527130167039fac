import { type LiveTheme, type SiteStylesheet, type Template, toTemplatePath } from './live-theme.ts'
import type { Stylesheet } from './templates.ts'

/** A template of null is not there: before the change a new one, after it a deleted one. */
export interface TemplateChange {
  path: string
  before: Template | null
  after: Template | null
}

export interface StylesheetChange {
  before: SiteStylesheet
  after: SiteStylesheet
}

/** The difference between what is live and what is to be. */
export interface Plan {
  templates: TemplateChange[]
  stylesheets: StylesheetChange[]
  /** Live templates that no file has and no publication wrote: they stay as they are. */
  kept: string[]
}

/**
 * Plans a publication: live templates become those of the files, and a site whose stylesheet has that name gets its
 * newest version. A template is deleted when the publication before wrote it and its file is gone.
 */
export function planPublication(
  live: LiveTheme,
  files: readonly Template[],
  stylesheets: readonly Stylesheet[],
): Plan {
  const known = new Set(live.sites.map(({ acronym }) => `sites/${acronym}`))
  const wanted = toPaths(files.filter(({ home }) => !home.startsWith('sites/') || known.has(home)))
  const current = toPaths(live.templates)
  const published = new Set(live.publication?.paths)
  const gone = [...current.keys()].filter((path) => !wanted.has(path))
  return {
    templates: [
      ...[...wanted].map(([path, after]) => ({ path, before: current.get(path) ?? null, after })),
      ...gone
        .filter((path) => published.has(path))
        .map((path) => ({ path, before: current.get(path) ?? null, after: null })),
    ].filter(isChange),
    stylesheets: live.sites.flatMap((before) => {
      const newest = stylesheets.findLast(({ slug }) => slug === before.slug)
      return newest && newest.version !== before.version
        ? [{ before, after: { ...before, version: newest.version } }]
        : []
    }),
    kept: gone.filter((path) => !published.has(path)),
  }
}

/** Plans the way back to what the newest publication replaced; undefined: there is none. */
export function planRollback({ templates, sites, publication }: LiveTheme): Plan | undefined {
  if (!publication) return undefined
  const current = toPaths(templates)
  return {
    templates: publication.before.templates
      .map(({ path, template }) => ({ path, before: current.get(path) ?? null, after: template }))
      .filter(isChange),
    stylesheets: publication.before.stylesheets.flatMap((after) => {
      const before = sites.find(({ acronym }) => acronym === after.acronym)
      return before && before.version !== after.version ? [{ before, after }] : []
    }),
    kept: [],
  }
}

export const isEmptyPlan = ({ templates, stylesheets }: Plan): boolean =>
  templates.length === 0 && stylesheets.length === 0

const toPaths = (templates: readonly Template[]): Map<string, Template> =>
  new Map(templates.map((template) => [toTemplatePath(template), template]))

// The title of a theme's or site's template is that of its default.
function isChange({ before, after }: TemplateChange): boolean {
  if (before?.source !== after?.source) return true
  return before?.home === 'default' && before.title !== after?.title
}
