import * as z from 'zod/mini'

/** A KV entry of a host, and the age of its copy in the edge cache. */
const Entry = z.object({
  key: z.string(),
  metadata: z.nullable(z.record(z.string(), z.unknown())),
  /** Seconds; null when the edge cache has no copy. */
  edgeAge: z.nullable(z.number()),
})
export type InspectedEntry = z.infer<typeof Entry>

const Invalidation = z.object({
  path: z.string(),
  kind: z.enum(['purge', 'change']),
  sequence: z.number(),
  written_at: z.number(),
})
export type InspectedInvalidation = z.infer<typeof Invalidation>

/** State of following the change log: the newest sequence number and revision, and the last run. */
const State = z.object({
  sequence: z.number(),
  revision: z.nullable(z.string()),
  followed_at: z.nullable(z.number()),
  failure: z.nullable(z.string()),
})

/** Content of a host's KV namespace, edge cache and invalidation log. */
export const Inspection = z.object({
  entries: z.array(Entry),
  /** False when the namespace has further entries of the host. */
  isComplete: z.boolean(),
  /** Newest first. */
  invalidations: z.array(Invalidation),
  state: z.nullable(State),
})
export type Inspection = z.infer<typeof Inspection>

interface InspectionQuery {
  edgePort: number
  edgeToken: string
  host: string
  namespaceId: string
  databaseId: string | undefined
}

/**
 * Reads a host's cache through the edge's router, which has bindings to all KV namespaces and D1 databases.
 *
 * @throws Error when the edge does not respond, or the namespace cannot be read
 */
export async function inspectCache(query: InspectionQuery): Promise<Inspection> {
  const { edgePort, edgeToken, host, namespaceId, databaseId = '' } = query
  const parameters = new URLSearchParams({ host, namespaceId, databaseId })
  const response = await fetch(`http://127.0.0.1:${edgePort}/?${parameters}`, {
    headers: { 'local-inspect-token': edgeToken },
    signal: AbortSignal.timeout(3000),
  })
  if (!response.ok)
    throw new Error(`The edge responded with ${response.status}: ${await response.text()}`)
  return Inspection.parse(await response.json())
}
