import * as z from 'zod/mini'

/** Maximum number of URLs in one purge. */
export const MAX_URLS = 400
/** A path, or an absolute URL of the host. */
const PageUrl = z.string().check(z.minLength(1), z.maxLength(8192))
const HostField = { host: z.string().check(z.minLength(1), z.maxLength(255)) }

/** Body of `POST /__cms/purge`: the host, and exactly one of `url`, `urls` and `site`. */
export const PurgeRequest = z.union([
  z.strictObject({ ...HostField, url: PageUrl }),
  z.strictObject({
    ...HostField,
    urls: z.array(PageUrl).check(z.minLength(1), z.maxLength(MAX_URLS)),
  }),
  z.strictObject({ ...HostField, site: z.literal(true) }),
])
export type PurgeRequest = z.infer<typeof PurgeRequest>

/**
 * Response of a successful purge. `deleted` is the number of URLs, or of a site's stored pages, whose entries are
 * deleted. If `complete` is false, the worker deletes the others later. Every data centre reads the purge within
 * `converges_within_seconds`.
 */
export const PurgeResponse = z.strictObject({
  host: z.string(),
  scope: z.enum(['urls', 'site']),
  deleted: z.int(),
  complete: z.boolean(),
  converges_within_seconds: z.int(),
})
export type PurgeResponse = z.infer<typeof PurgeResponse>
