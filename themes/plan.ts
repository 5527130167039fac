import { type LiveTheme, type SiteStylesheet, type Template, toTemplatePath } from './live-theme.ts'
import type { Stylesheet } from './templates.ts'

/** A change of a template: `before` is null for a new one, `after` for a deleted one. */
export interface TemplateChange {
  path: string
  before: Template | null
  after: Template | null
}

export interface StylesheetChange {
  before: SiteStylesheet
  after: SiteStylesheet
}

/** Changes from the live theme to another one. */
export interface Plan {
  templates: TemplateChange[]
  stylesheets: StylesheetChange[]
  /** Paths of live templates that have no file, and that the newest publication did not write; they stay. */
  kept: string[]
}

/**
 * Plans a publication: the files replace the live templates, and each site gets the newest version of its
 * stylesheet. A template without a file is deleted if the newest publication wrote it.
 */
export function planPublication(
  live: LiveTheme,
  files: readonly Template[],
  stylesheets: readonly Stylesheet[],
): Plan {
  const siteFolders = new Set(live.sites.map(({ acronym }) => `sites/${acronym}`))
  const next = mapByPath(
    files.filter(({ home }) => !home.startsWith('sites/') || siteFolders.has(home)),
  )
  const current = mapByPath(live.templates)
  const published = new Set(live.publication?.paths)
  const withoutFile = [...current.keys()].filter((path) => !next.has(path))
  return {
    templates: [
      ...[...next].map(([path, after]) => ({ path, before: current.get(path) ?? null, after })),
      ...withoutFile
        .filter((path) => published.has(path))
        .map((path) => ({ path, before: current.get(path) ?? null, after: null })),
    ].filter(isChange),
    stylesheets: live.sites.flatMap((before) => {
      const newest = stylesheets.findLast(({ slug }) => slug === before.slug)
      return newest && newest.version !== before.version
        ? [{ before, after: { ...before, version: newest.version } }]
        : []
    }),
    kept: withoutFile.filter((path) => !published.has(path)),
  }
}

/** Plans the restoration of the theme before the newest publication; undefined when there is none. */
export function planRollback({ templates, sites, publication }: LiveTheme): Plan | undefined {
  if (!publication) return undefined
  const current = mapByPath(templates)
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

const mapByPath = (templates: readonly Template[]): Map<string, Template> =>
  new Map(templates.map((template) => [toTemplatePath(template), template]))

// The database stores the title only of a default.
function isChange({ before, after }: TemplateChange): boolean {
  if (before?.source !== after?.source) return true
  return before?.home === 'default' && before.title !== after?.title
}
