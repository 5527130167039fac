import * as z from 'zod/mini'

/** URLs of one purge. */
export const MAX_URLS = 400
const Path = z.string().check(z.minLength(1), z.maxLength(8192))
const HostField = { host: z.string().check(z.minLength(1), z.maxLength(255)) }

/**
 * Body of `POST /__cms/purge`: exactly one of `url`, `urls` and `site`. `url` is a path, or an absolute URL of the
 * host.
 */
export const PurgeRequest = z.union([
  z.strictObject({ ...HostField, url: Path }),
  z.strictObject({
    ...HostField,
    urls: z.array(Path).check(z.minLength(1), z.maxLength(MAX_URLS)),
  }),
  z.strictObject({ ...HostField, site: z.literal(true) }),
])
export type PurgeRequest = z.infer<typeof PurgeRequest>

/**
 * Everything that was asked for is purged. `deleted`: entries that were deleted from KV already; `complete` false: the
 * worker goes on deleting by itself.
 */
export const PurgeResponse = z.strictObject({
  host: z.string(),
  scope: z.enum(['urls', 'site']),
  deleted: z.int(),
  complete: z.boolean(),
  converges_within_seconds: z.int(),
})
export type PurgeResponse = z.infer<typeof PurgeResponse>
