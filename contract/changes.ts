import * as z from 'zod/mini'
import { Id, integerParameter } from './primitives.ts'
import { apiSitePath } from './site.ts'

/** Parts of an article's path, as stored: they may be any string. */
export const ArticleRef = z.strictObject({ slug: z.string(), language: z.string() })
export type ArticleRef = z.infer<typeof ArticleRef>

/** A published article before or after a change. `month` is the `YYYY-MM` of `published_at` in UTC. */
export const ArticleState = z.strictObject({
  ...ArticleRef.shape,
  category_slug: z.nullable(z.string()),
  author_slug: z.nullable(z.string()),
  month: z.nullable(z.string()),
})
export type ArticleState = z.infer<typeof ArticleState>

/** Maximum length of `related`. */
export const MAX_RELATED = 200

/**
 * One changed article. `before` is null if it was not published, `after` if it is no longer published; a scheduled
 * article counts as published. `related` has the articles that may list it as related, if it was published and its title,
 * slug, language, picture, type or publication date changed, or it is no longer published. `alternates` are its
 * translations.
 */
export const ArticleChange = z.strictObject({
  id: Id,
  before: z.nullable(ArticleState),
  after: z.nullable(ArticleState),
  related: z.array(ArticleRef).check(z.maxLength(MAX_RELATED)),
  alternates: z.array(ArticleRef),
})
export type ArticleChange = z.infer<typeof ArticleChange>

/** Opaque revision; only the API compares revisions. */
const RevisionToken = z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))

/** Identifies the content of the database; it changes when a backup is restored. */
const RestoreId = z.string().check(z.minLength(1), z.maxLength(100))

/**
 * `GET /sites/{site_id}/changes?after=<revision>`.
 * `settings` is true if settings, templates, navigation, categories, tags or data shared by all sites changed, or one
 * statement changed more articles than the log lists.
 * `scores` is true if trending scores were refreshed.
 * `reset` is true if everything must be treated as changed: `after` is not in the log, the database was restored,
 * there are too many changes, or a row does not match the contract.
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
 * Without `after`, the response has only the newest revision. A response covers whole revisions and ends with the one
 * that reaches `limit` log rows. The next request sends `revision` and `restore_id` of that response as `after` and
 * `restore_id`.
 */
export const ChangesParameters = z.strictObject({
  after: z.optional(RevisionToken),
  limit: z._default(integerParameter(1, 1000), 1000),
  restore_id: z.optional(RestoreId),
})
export type ChangesParameters = z.infer<typeof ChangesParameters>

/** Path of the endpoint below the base URL of the API. */
export const changesPath = (site: string): string => `${apiSitePath(site)}/changes`
