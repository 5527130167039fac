import { createHash } from 'node:crypto'
import type pg from 'pg'
import * as z from 'zod/mini'
import { TEMPLATE_TYPES } from '../contract/template.ts'

/**
 * A template, from a file or a row. `home` is the folder in the file's path: `default`, a
 * theme, or `sites/<acronym>`. The database stores the title only of a default; the rows of
 * other templates have the key as title.
 */
export const Template = z.strictObject({
  home: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.enum(TEMPLATE_TYPES),
  key: z.string().check(z.minLength(1), z.maxLength(200)),
  language: z.nullable(z.string().check(z.minLength(1), z.maxLength(20))),
  title: z.string().check(z.maxLength(500)),
  source: z.string().check(z.maxLength(64 * 1024)),
})
export type Template = z.infer<typeof Template>

/** The stylesheet of a site. */
export const SiteStylesheet = z.strictObject({
  acronym: z.string(),
  slug: z.nullable(z.string()),
  version: z.nullable(z.string()),
})
export type SiteStylesheet = z.infer<typeof SiteStylesheet>

/**
 * The templates and stylesheets that a publication changed, as they
 * were before; null for a template that was new.
 */
const Before = z.strictObject({
  templates: z.array(z.strictObject({ path: z.string(), template: z.nullable(Template) })),
  stylesheets: z.array(SiteStylesheet),
})

const Publication = z.strictObject({
  id: z.int(),
  published_at: z.string(),
  paths: z.array(z.string()),
  before: Before,
})
type Publication = z.infer<typeof Publication>

/** The templates and stylesheets in a database, and their newest publication. */
export const LiveTheme = z.strictObject({
  templates: z.array(Template),
  sites: z.array(SiteStylesheet),
  publication: z.nullable(Publication),
  /** SHA-256 of the other members; a publication is rejected when it has changed since the comparison. */
  digest: z.string(),
})
export type LiveTheme = z.infer<typeof LiveTheme>

/** Returns the path of a template's file below the folder of the themes. */
export function toTemplatePath({ home, type, key, language }: Omit<Template, 'source'>): string {
  return `templates/${home}/${type}/${key}${language ? `.${language}` : ''}.liquid`
}

const TEMPLATES = `
  SELECT 'default' AS home, type, key, NULL AS language, title, source FROM template_elements
  UNION ALL
  SELECT theme, type, key, language, key, b.source FROM template_blocks b
    JOIN template_elements e ON e.id = b.element_id
  UNION ALL
  SELECT 'sites/' || acronym, type, key, language, key, o.source FROM template_overrides o
    JOIN template_elements e ON e.id = o.element_id JOIN sites ON sites.id = o.site_id
  ORDER BY home, type, key, language`

const SITES = `
  SELECT acronym, css_slug AS slug, css_version AS version FROM sites
    LEFT JOIN site_settings ON site_id = sites.id ORDER BY acronym`

const PUBLICATION = `
  SELECT id, published_at::text, paths, before FROM template_publications ORDER BY id DESC LIMIT 1`

/** Reads the live theme on a connection, which may be in a transaction. */
export async function readLiveTheme(client: pg.Client): Promise<LiveTheme> {
  const { rows: templates } = await client.query<Template>(TEMPLATES)
  const { rows: sites } = await client.query<SiteStylesheet>(SITES)
  const { rows: publications } = await client.query<Publication>(PUBLICATION)
  const live = { templates, sites, publication: publications[0] ?? null }
  const digest = createHash('sha256').update(JSON.stringify(live)).digest('hex')
  return { ...live, digest }
}
