import * as z from 'zod/mini'
import { Id, integerParameter } from './primitives.ts'
import { sitePath } from './site.ts'

/** An article by what its path is made of; the texts are as the row has them, no rule of content applies. */
export const ArticleRef = z.strictObject({ slug: z.string(), language: z.string() })
export type ArticleRef = z.infer<typeof ArticleRef>

/** One side of a change; `month` is `YYYY-MM` of `published_at` in UTC. */
export const ArticleState = z.strictObject({
  ...ArticleRef.shape,
  category_slug: z.nullable(z.string()),
  author_slug: z.nullable(z.string()),
  month: z.nullable(z.string()),
})
export type ArticleState = z.infer<typeof ArticleState>

/** Articles named by `related` of one change. */
export const MAX_RELATED = 200

/**
 * One article that changed: `before` null: it is new; `after` null: it is gone. `related` are articles that listed it as
 * related, given when its title, slug, picture or visibility changed. `alternates` are its translations.
 */
export const ArticleChange = z.strictObject({
  id: Id,
  before: z.nullable(ArticleState),
  after: z.nullable(ArticleState),
  related: z.array(ArticleRef).check(z.maxLength(MAX_RELATED)),
  alternates: z.array(ArticleRef),
})
export type ArticleChange = z.infer<typeof ArticleChange>

/** Revision as the caller hands it back: opaque, ordered by the API alone. */
const RevisionToken = z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))

/** Identity of the database; a restore from a backup renews it. */
const RestoreId = z.string().check(z.minLength(1), z.maxLength(100))

/**
 * `GET /sites/{site_id}/changes?after=<revision>`. `settings` true: settings, templates, navigation, categories, tags or
 * anything shared changed. `scores` true: trending scores were refreshed. `reset` true: the log does not reach back to
 * `after`, the database is another one, or a change cannot be expressed; treat everything as changed.
 */
export const ChangesResponse = z.strictObject({
  revision: RevisionToken,
  restore_id: RestoreId,
  reset: z.boolean(),
  settings: z.boolean(),
  scores: z.boolean(),
  articles: z.array(ArticleChange),
})
export type ChangesResponse = z.infer<typeof ChangesResponse>

/**
 * Without `after`: the newest revision and nothing else. An answer ends with the revision in which it reaches `limit`
 * log rows, whose other rows come too; then ask again. `restore_id` is that of the answer which gave `after`.
 */
export const ChangesParameters = z.strictObject({
  after: z.optional(RevisionToken),
  limit: z._default(integerParameter(1, 1000), 1000),
  restore_id: z.optional(RestoreId),
})
export type ChangesParameters = z.infer<typeof ChangesParameters>

export const changesPath = (site: string): string => `${sitePath(site)}/changes`
