/** The used part of Workers KV. Calls may be slow or fail, and writes may take effect late. */
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

/** The platform. `now` is milliseconds since 1970, `random` returns a number in [0, 1). */
export interface Ports {
  kv: Kv
  edge: EdgeCache
  database: Database
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  random: () => number
  sleep: (milliseconds: number) => Promise<void>
  allowsSearch: (visitor: string) => Promise<boolean>
  log: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>) => void
}

/** Scope of one request: runs work after the response, and measures durations. */
export interface Scope {
  background: (work: Promise<unknown>) => void
  measure: <T>(part: string, work: Promise<T>) => Promise<T>
}
