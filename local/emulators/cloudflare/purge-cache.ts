import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { parseBody, toEnvelope, toErrorEnvelope } from './wire-format.ts'

/** Deletes the entries of the edge cache that have any of these lower-case tags. */
export type PurgeTags = (tags: readonly string[]) => Promise<void>

// Limits of purges by tag on the Free plan: 5 requests a minute after a burst of 25, each with at most 100
// tags of 1,024 characters
// (https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits).
const MAX_TAGS = 100
const MAX_TAG_LENGTH = 1024
const BURST = 25
const REFILL_MS = 12_000

const Purge = z.strictObject({
  tags: z
    .array(z.string().check(z.regex(/^[!-~]+$/), z.maxLength(MAX_TAG_LENGTH)))
    .check(z.minLength(1), z.maxLength(MAX_TAGS)),
})

/** Serves `POST /zones/{id}/purge_cache` by tag; purges by URL, prefix or host are not emulated. */
export function servePurgeCache(api: Hono, purgeTags: PurgeTags, now: () => number): void {
  let tokens = BURST
  let refilledAt = now()
  api.post('/zones/:zone/purge_cache', async ({ req, json }) => {
    const refills = Math.floor((now() - refilledAt) / REFILL_MS)
    refilledAt += refills * REFILL_MS
    tokens = Math.min(BURST, tokens + refills)
    if (tokens === 0) {
      const seconds = Math.ceil((refilledAt + REFILL_MS - now()) / 1000)
      const error = { code: 971, message: 'Rate limit of purge requests reached. Try again later.' }
      return json(toErrorEnvelope(error), 429, { 'retry-after': String(seconds) })
    }
    tokens -= 1
    const { tags } = parseBody(Purge, await req.json())
    await purgeTags(tags.map((tag) => tag.toLowerCase()))
    return json(toEnvelope({ id: req.param('zone') }))
  })
}
