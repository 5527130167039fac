/** Requests a month that the costs are told for. */
export const volumes = [1e6, 1e8, 1e10] as const

export const hoursOfMonth = 730

/** What is assumed of a site's readers; the cron's own work comes on top. */
export const site = {
  /** Share of the requests that the edge cache answers. */
  edgeHits: 0.95,
  /** Share of the rest that the key-value store answers. */
  storeHits: 0.9,
  /** Reads of the store a request past the edge cache: the page, the purge record. */
  storeReads: 2,
  cpuMs: 1.5,
  /** Calls of the read API a rendered page. */
  apiCalls: 3,
  apiMs: 25,
  apiResponseKb: 8,
  apiLogKb: 0.6,
} as const

/** What is assumed of a media worker's readers. */
export const media = {
  edgeHits: 0.98,
  cpuMs: 0.8,
  objectKb: 60,
  storedGb: 20,
} as const
