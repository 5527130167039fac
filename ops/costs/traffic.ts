/** Numbers of visitors' requests in a month for which bills are computed. */
export const VOLUMES = [1e6, 1e8, 1e10] as const

export const HOURS_PER_MONTH = 730

/** Assumptions about a site's visitors and editors. */
export const SITE = {
  /** Share of the requests that the edge cache serves. */
  edgeHits: 0.95,
  /** Share of the other requests that KV serves. */
  storeHits: 0.9,
  /** KV reads for a request past the edge cache: the page's entry. */
  storeReads: 1,
  cpuMs: 1.5,
  /** Calls of the read API for a rendered page. */
  apiCalls: 3,
  apiMs: 25,
  apiResponseKb: 8,
  /** A log line of the read API; CloudWatch adds 26 bytes. Successful calls that follow the change log write none. */
  apiLogKb: 0.22,
} as const

/** Assumptions about reading the invalidation log and following the change log. */
export const INVALIDATION = {
  /** Data centres that serve the site. */
  dataCentres: 100,
  /** Age in seconds at which a data centre's copy of the log is read again. */
  renewSeconds: 2,
  /** Rows of such a read: counter, state and new invalidations. */
  rowsOfRead: 5,
  /** Seconds between two reads of all live rows in one data centre. */
  fullReadSeconds: 600,
  liveRows: 300,
  /** Seconds between two runs that follow the change log, over all data centres. */
  followSeconds: 5,
  /** Rows that a run writes: the lock, and the revision with its instant. */
  rowsOfRun: 2,
  /** Milliseconds and kilobytes of the read API's response without changes. */
  followMs: 5,
  followResponseKb: 0.5,
  /** Changes of content in a month, and rows that each writes: affected paths, and their pruning. */
  changes: 3000,
  rowsOfChange: 60,
  storedGb: 0.01,
} as const

/** A media worker's visitors; hits and store reads are figures of `npm run bench -- media`. */
export const MEDIA = {
  /** `media.mix.hits` of 2026-11-22. */
  edgeHits: 0.981,
  /** `media.mix.reads-per-miss` of 2026-11-22. */
  readsPerMiss: 1,
  cpuMs: 0.8,
  objectKb: 60,
  storedGb: 20,
} as const
