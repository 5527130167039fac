import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { type ArticleFile, parseArticleFile } from './article-file.ts'

const ByLanguage = z.record(z.string(), z.string())

/** Columns of `site_settings` that a content file can set. */
export const Settings = z.strictObject({
  title: z.optional(z.string()),
  tagline: z.optional(z.string()),
  description: z.optional(z.string()),
  theme_color: z.optional(z.string()),
  css_slug: z.optional(z.string()),
  css_version: z.optional(z.string()),
  articles_per_page: z.optional(z.int()),
  copyright: z.optional(z.string()),
  contact_email: z.optional(z.string()),
  publisher_name: z.optional(z.string()),
  twitter_handle: z.optional(z.string()),
  social_links: z.optional(z.array(z.strictObject({ platform: z.string(), url: z.string() }))),
  active_template: z.optional(z.string()),
  ads_txt: z.optional(z.string()),
  robots_txt: z.optional(z.string()),
})
export type Settings = z.infer<typeof Settings>

const Author = z.strictObject({
  slug: z.string(),
  name: z.string(),
  job_title: z.string(),
  bio: z.string(),
  website_url: z.optional(z.string()),
  social_links: z._default(z.array(z.string()), []),
  expertise: z._default(z.array(z.string()), []),
  active: z._default(z.boolean(), true),
})

const SiteFile = z.strictObject({
  site: z.strictObject({
    acronym: z.string(),
    domain: z.string(),
    name: z.string(),
    default_language: z.string(),
    timezone: z.string(),
    active: z.boolean(),
  }),
  settings: Settings,
  languages: z.array(
    z.strictObject({ code: z.string(), name: z.string(), labels: z._default(ByLanguage, {}) }),
  ),
  categories: z.array(
    z.strictObject({
      slug: z.string(),
      parent: z.optional(z.string()),
      names: ByLanguage,
      descriptions: ByLanguage,
    }),
  ),
  tag_names: z._default(z.record(z.string(), ByLanguage), {}),
  authors: z.array(Author),
  navigation: z.array(
    z.strictObject({ area: z.enum(['header', 'footer']), path: z.string(), labels: ByLanguage }),
  ),
})

/** Sentences with `{slots}`, from which articles in one language are generated. */
const PhraseBook = z.strictObject({
  slots: z.record(z.string(), z.array(z.string())),
  /** By slug of the category. */
  headlines: z.record(z.string(), z.array(z.string())),
  descriptions: z.array(z.string()),
  headings: z.array(z.string()),
  paragraphs: z.array(z.string()),
})
export type PhraseBook = z.infer<typeof PhraseBook>

/** The content of a newsroom: one of the demo's publications, which is a site in the database. */
export interface Newsroom extends z.infer<typeof SiteFile> {
  articles: ArticleFile[]
  phrases: { language: string; book: PhraseBook }[]
}

/** Folder with one folder of content files for each newsroom. */
export const CONTENT = join(import.meta.dirname, 'content')

/** Acronyms of the newsrooms. */
export const NEWSROOMS = ['harbour', 'meridian', 'almanac'] as const

/** Reads `content/<acronym>/`: `site.yaml`, `articles/<slug>.<language>.md`, `phrases.<language>.yaml`. */
export async function readNewsroom(acronym: string): Promise<Newsroom> {
  const folder = join(CONTENT, acronym)
  const [site, articles, phrases] = await Promise.all([
    readNewsroomFile(acronym),
    readArticles(join(folder, 'articles')),
    readPhrases(folder),
  ])
  return { ...site, articles, phrases }
}

/** Reads `content/<acronym>/site.yaml`. */
export function readNewsroomFile(acronym: string): Promise<z.infer<typeof SiteFile>> {
  return readYaml(join(CONTENT, acronym, 'site.yaml'), SiteFile)
}

/** Reads the defaults of all sites from `content/global.yaml`. */
export function readGlobalSettings(): Promise<Settings> {
  return readYaml(join(CONTENT, 'global.yaml'), Settings)
}

async function readArticles(folder: string): Promise<ArticleFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (name) => parseArticleFile(name, await readFile(join(folder, name), 'utf8'))),
  )
}

async function readPhrases(folder: string): Promise<Newsroom['phrases']> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('phrases.')).sort()
  return Promise.all(
    names.map(async (name) => ({
      language: name.split('.')[1] ?? '',
      book: await readYaml(join(folder, name), PhraseBook),
    })),
  )
}

async function readYaml<T>(path: string, schema: z.ZodMiniType<T>): Promise<T> {
  const parsed = z.safeParse(schema, yaml.parse(await readFile(path, 'utf8')))
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}
