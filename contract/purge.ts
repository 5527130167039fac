import * as z from 'zod/mini'

/** URLs of one purge. */
export const MAX_URLS = 400
const Path = z.string().check(z.minLength(1), z.maxLength(8192))
const One = { host: z.string().check(z.minLength(1), z.maxLength(255)) }

/**
 * Body of `POST /__cms/purge`: exactly one of `url`, `urls` and `site`. `url` is a path, or an absolute URL of the
 * host. `cursor` goes on with a site purge that was cut short.
 */
export const PurgeRequest = z.union([
  z.strictObject({ ...One, url: Path }),
  z.strictObject({
    ...One,
    urls: z.array(Path).check(z.minLength(1), z.maxLength(MAX_URLS)),
  }),
  z.strictObject({
    ...One,
    site: z.literal(true),
    cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  }),
])
export type PurgeRequest = z.infer<typeof PurgeRequest>

const Done = {
  host: z.string(),
  scope: z.enum(['urls', 'site']),
  deleted: z.int(),
  converges_within_seconds: z.int(),
}

/** 200 when all is deleted; 202 with a `cursor` when the rest, void already, waits for the next call. */
export const PurgeResponse = z.union([
  z.strictObject({ ...Done, complete: z.literal(true) }),
  z.strictObject({ ...Done, complete: z.literal(false), cursor: z.string() }),
])
export type PurgeResponse = z.infer<typeof PurgeResponse>
