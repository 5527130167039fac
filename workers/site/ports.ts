/** The part of Workers KV that is used. Calls may be slow or fail, and writes may take effect late. */
export interface Kv {
  get(key: string): Promise<string | null>
  getWithMetadata(key: string): Promise<{ value: string | null; metadata: unknown }>
  put(
    key: string,
    value: string,
    options?: { expirationTtl?: number; metadata?: unknown },
  ): Promise<void>
  delete(key: string): Promise<void>
  list(options: { prefix: string; cursor?: string; limit?: number }): Promise<KvPage>
}

export type KvPage =
  | { keys: readonly KvKey[]; list_complete: true }
  | { keys: readonly KvKey[]; list_complete: false; cursor: string }

export interface KvKey {
  name: string
  metadata?: unknown
}

/** The edge cache of one data centre (`caches.default`). */
export interface EdgeCache {
  match(url: string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}

export interface Statement {
  sql: string
  parameters: readonly (string | number | null)[]
}

/** D1. One call is one transaction; it returns the rows of each statement. */
export interface Database {
  transact(statements: readonly Statement[]): Promise<readonly (readonly unknown[])[]>
}

/** The parts of the platform that the worker uses, so that tests can replace them. */
export interface Ports {
  kv: Kv
  edge: EdgeCache
  database: Database
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970. */
  now: () => number
  /** Returns a number in [0, 1). */
  random: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Returns whether a visitor, identified by network, is below the rate limit of searches. */
  allowsSearch: (network: string) => Promise<boolean>
  /** Writes a line to the worker's log. */
  logEvent: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>) => void
}

/** Scope of one request, or of one run of the cron trigger. */
export interface Scope {
  /** Lets work continue after the response (`waitUntil`). */
  background: (work: Promise<unknown>) => void
  /** Returns the result of the work, and records its duration for `Server-Timing`. */
  measure: <T>(name: string, work: Promise<T>) => Promise<T>
}
