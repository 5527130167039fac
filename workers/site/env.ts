import * as z from 'zod/mini'
import { PAGE_TYPE_TTL_DEFAULTS, PAGE_TYPES, SECRET_MIN_LENGTH } from '../../contract/constants.ts'
import type { D1Binding } from './database.ts'
import type { Kv } from './ports.ts'

const Secret = z
  .string()
  .check(z.minLength(SECRET_MIN_LENGTH, `must have at least ${SECRET_MIN_LENGTH} characters`))
const Seconds = z.int().check(z.positive())

const Env = z.object({
  CMS_API_BASE_URL: z.pipe(
    z.url({ protocol: /^https?$/ }),
    z.transform((url) => url.replace(/\/+$/, '')),
  ),
  CMS_SITE_ID: z.string().check(z.minLength(1)),
  SITE_HOST: z
    .string()
    .check(z.regex(/^[a-z0-9.-]+$/, 'must be a host in lower case, without a port')),
  PAGE_TYPE_TTLS: z.partialRecord(z.enum(PAGE_TYPES), Seconds),
  CSS_OVERRIDE_SLUG: z.optional(z.string()),
  CSS_OVERRIDE_VERSION: z.optional(z.string()),
  CMS_API_KEY: Secret,
  ADMIN_PURGE_SECRET: z.optional(Secret),
  WORKER_NAME: z.string(),
  WORKER_VERSION: z.string(),
  LOG_SAMPLE: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 100),
  KV: binding<Kv>('getWithMetadata'),
  INVALIDATIONS: z.optional(binding<D1Binding>('batch')),
  SEARCH_RATE_LIMIT: binding<RateLimit>('limit'),
})

interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Seconds for which an entry stays fresh, by type of entry. */
type Ttls = Record<keyof typeof PAGE_TYPE_TTL_DEFAULTS | 'settings' | 'not_found_page', number>

export interface Config {
  host: string
  /** Acronym of the site, as the read API knows it. */
  site: string
  apiBaseUrl: string
  apiKey: string
  /** Bearer token of purges, previews and the deep health check, which respond with an error without it. */
  adminSecret: string | undefined
  ttls: Ttls
  cssOverride: { slug?: string | undefined; version?: string | undefined }
  worker: string
  /** Hash of the deployed code. Entries of another build are not revalidated, but rendered again. */
  build: string
  /** One of this many fresh hits in the edge cache is logged. */
  logSample: number
}

/**
 * Parses the worker's variables, secrets and bindings.
 * @throws Error that names each missing or malformed one
 */
export function parseEnv(env: unknown): { config: Config; bindings: Bindings } {
  const parsed = Env.safeParse(env)
  if (!parsed.success)
    throw new Error(
      `Invalid variables or bindings of the site worker: ${z.prettifyError(parsed.error)}`,
    )
  const { KV, INVALIDATIONS, SEARCH_RATE_LIMIT, ...variables } = parsed.data
  const bindings = { kv: KV, invalidations: INVALIDATIONS, searchRate: SEARCH_RATE_LIMIT }
  return { config: toConfig(variables), bindings }
}

interface Bindings {
  kv: Kv
  /** Without it, the worker behaves as if D1 were down. */
  invalidations: D1Binding | undefined
  searchRate: RateLimit
}

type Variables = Omit<z.infer<typeof Env>, 'KV' | 'INVALIDATIONS' | 'SEARCH_RATE_LIMIT'>

function toConfig(variables: Variables): Config {
  return {
    host: variables.SITE_HOST,
    site: variables.CMS_SITE_ID,
    apiBaseUrl: variables.CMS_API_BASE_URL,
    apiKey: variables.CMS_API_KEY,
    adminSecret: variables.ADMIN_PURGE_SECRET,
    ttls: {
      settings: 300,
      not_found_page: 300,
      ...PAGE_TYPE_TTL_DEFAULTS,
      ...variables.PAGE_TYPE_TTLS,
    },
    cssOverride: { slug: variables.CSS_OVERRIDE_SLUG, version: variables.CSS_OVERRIDE_VERSION },
    worker: variables.WORKER_NAME,
    build: variables.WORKER_VERSION,
    logSample: variables.LOG_SAMPLE,
  }
}

function binding<T>(method: keyof T & string) {
  return z.custom<T>(
    (value) => typeof value === 'object' && value !== null && method in value,
    'is not bound',
  )
}
