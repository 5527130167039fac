import * as z from 'zod/mini'
import { Id, integerParameter, LanguageCode, Slug } from './primitives.ts'
import { sitePath } from './site.ts'

/** What a reader could see of an article on one side of a change; null fields were not set. */
const ArticleState = z.strictObject({
  slug: Slug,
  language: LanguageCode,
  category_slug: z.nullable(Slug),
  author_slug: z.nullable(Slug),
})

/** One article that changed: `before` null: it is new; `after` null: it is gone. */
export const ArticleChange = z.strictObject({
  id: Id,
  before: z.nullable(ArticleState),
  after: z.nullable(ArticleState),
})
export type ArticleChange = z.infer<typeof ArticleChange>

/** Revision as the caller hands it back: opaque, ordered by the API alone. */
const RevisionToken = z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))

/**
 * `GET /sites/{site_id}/changes?after=<revision>`. `settings` true: settings, templates, navigation, categories, tags or
 * anything shared changed. `reset` true: the log no longer reaches back to `after`; treat everything as changed.
 */
export const ChangesResponse = z.strictObject({
  revision: RevisionToken,
  reset: z.boolean(),
  settings: z.boolean(),
  articles: z.array(ArticleChange),
})
export type ChangesResponse = z.infer<typeof ChangesResponse>

/**
 * Without `after`: the newest revision and nothing else. An answer ends with the revision in which it reaches `limit`
 * log rows, whose other rows come too; then ask again.
 */
export const ChangesParameters = z.strictObject({
  after: z.optional(RevisionToken),
  limit: z._default(integerParameter(1, 1000), 1000),
})
export type ChangesParameters = z.infer<typeof ChangesParameters>

export const changesPath = (site: string): string => `${sitePath(site)}/changes`
