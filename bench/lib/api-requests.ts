import { createHash } from 'node:crypto'

/** Site and API key of the benchmarks' requests. */
export const SITE = 'harbour'
const KEY = 'a-key-for-the-benchmark-0123456789'
export const KEY_DIGEST = createHash('sha256').update(KEY).digest('hex')
export const HEADERS = { authorization: `Bearer ${KEY}`, 'accept-encoding': 'identity' }

export const toArticlePath = (slug: string): string =>
  `/public/v2/sites/${SITE}/pages/${slug}?related_limit=0`
export const toListPath = (limit: number): string =>
  `/public/v2/sites/${SITE}/lists?kind=recent&limit=${limit}`
