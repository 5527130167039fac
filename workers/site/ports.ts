/** Workers KV as the site worker uses it; every call may be slow, late or failing. */
export type Kv = {
  get(key: string, options?: { cacheTtl?: number }): Promise<string | null>
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
export type KvKey = { name: string; metadata?: unknown }

/** The edge cache of one data centre (`caches.default`). */
export type EdgeCache = {
  match(url: string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}

/** The world around the worker. `now` is milliseconds since 1970, `random` lies in [0, 1). */
export type Ports = {
  kv: Kv
  edge: EdgeCache
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  random: () => number
  sleep: (milliseconds: number) => Promise<void>
  allowsSearch: (reader: string) => Promise<boolean>
  log: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>) => void
}

/** What belongs to one request: work that may outlive its answer, and the clock of its parts. */
export type Scope = {
  background: (work: Promise<unknown>) => void
  measure: <T>(part: string, work: Promise<T>) => Promise<T>
}
