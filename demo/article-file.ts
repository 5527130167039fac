import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { OFFSET } from './instant.ts'

const Picture = z.strictObject({
  alt: z.string(),
  caption: z.optional(z.string()),
  credit: z.optional(z.string()),
})

const FrontMatter = z.strictObject({
  title: z.string(),
  subtitle: z.optional(z.string()),
  description: z.string(),
  category: z.optional(z.string()),
  tags: z._default(z.array(z.string()), []),
  author: z.optional(z.string()),
  /** Slug of the article in the default language that this one translates. */
  translates: z.optional(z.string()),
  /** Offset from the reference day. */
  published: z.optional(z.string().check(z.regex(OFFSET))),
  status: z._default(z.enum(['draft', 'published', 'unpublished']), 'published'),
  type: z._default(z.string(), 'homepage_article'),
  featured: z._default(z.boolean(), false),
  /** Position on the home page. */
  homepage: z.optional(z.int()),
  show_in_homepage: z._default(z.boolean(), true),
  image: z.optional(Picture),
  seo_title: z.optional(z.string()),
  seo_robots: z.optional(z.string()),
  /** Former titles, oldest first; each becomes a version in the article's history. */
  earlier_titles: z._default(z.array(z.string()), []),
})

export interface ArticleFile extends z.infer<typeof FrontMatter> {
  slug: string
  language: string
  markdown: string
}

/**
 * Parses `<slug>.<language>.md`: front matter in YAML between two lines of `---`, then Markdown.
 *
 * @throws Error when the file name or the front matter is invalid
 */
export function parseArticleFile(name: string, text: string): ArticleFile {
  const [slug, language] = name.split('.')
  const [, head, markdown] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  if (!slug || !language || head === undefined || markdown === undefined)
    throw new Error(`${name}: expected the name <slug>.<language>.md and front matter at the top`)
  const parsed = z.safeParse(FrontMatter, yaml.parse(head))
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
  return { ...parsed.data, slug, language, markdown }
}
