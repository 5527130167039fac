import { BUCKET_NAME, STORE_ORIGIN, toBucketUrl } from '../../contract/constants.ts'

const ORIGIN_OR_EMPTY = new RegExp(`^$|${STORE_ORIGIN.source}`)

// Pattern and description of each binding. zod would double the size of this worker's bundle.
const BINDINGS = {
  WORKER_NAME: [/./, 'the script name'],
  WORKER_VERSION: [/^\S+$/, 'the hash of the bundle'],
  MEDIA_CACHE_TTL: [/^[1-9]\d{0,8}$/, 'whole seconds'],
  LOG_SAMPLE: [/^([1-9]\d{0,5})?$/, 'a whole number, or empty to log every hit'],
  STORE_BUCKET: [BUCKET_NAME, 'a bucket name'],
  STORE_REGION: [/^[a-z0-9-]+$/, 'a region such as eu-central-1, or auto'],
  STORE_ENDPOINT: [
    ORIGIN_OR_EMPTY,
    'an origin such as https://host:port or https://{bucket}.host, or empty',
  ],
  STORE_ACCESS_KEY_ID: [/^\S+$/, 'a secret'],
  STORE_SECRET_ACCESS_KEY: [/^\S+$/, 'a secret'],
} as const

export type Config = ReturnType<typeof parseEnv>

/**
 * Parses the bindings of a media worker.
 * @throws TypeError that lists every missing or invalid binding, without its value
 */
export function parseEnv(bindings: Readonly<Partial<Record<string, unknown>>>) {
  const names = Object.keys(BINDINGS) as (keyof typeof BINDINGS)[]
  const values = names.map((name) => [name, String(bindings[name] ?? '')])
  const env = Object.fromEntries(values) as Record<keyof typeof BINDINGS, string>
  const invalid = names.filter((name) => !BINDINGS[name][0].test(env[name]))
  if (invalid.length > 0) {
    throw new TypeError(invalid.map((name) => `${name}: expected ${BINDINGS[name][1]}`).join('; '))
  }
  return {
    /** Script name, which is also a cache tag of each entry in the edge cache. */
    name: env.WORKER_NAME,
    version: env.WORKER_VERSION,
    /** Lifetime of an object in caches, in seconds. */
    maxAge: Number(env.MEDIA_CACHE_TTL),
    /** One in this number of cache hits without faults is logged. */
    logSample: Number(env.LOG_SAMPLE || 1),
    store: {
      bucketUrl: toBucketUrl(env.STORE_BUCKET, env.STORE_REGION, env.STORE_ENDPOINT),
      region: env.STORE_REGION,
      accessKeyId: env.STORE_ACCESS_KEY_ID,
      secretAccessKey: env.STORE_SECRET_ACCESS_KEY,
    },
  }
}
