import { createHash } from 'node:crypto'
import * as z from 'zod/mini'

/** A binding of a worker, told without its value. */
export const ManifestEntry = z.object({
  name: z.string(),
  type: z.string(),
  /** Of the value; absent for a secret, whose value nobody can read back. */
  sha256: z.optional(z.string()),
})
export type ManifestEntry = z.infer<typeof ManifestEntry>

/** What a stack's outputs say of its worker: what a live account is held against. */
export const Declaration = z.object({
  accountId: z.string(),
  zoneId: z.string(),
  scriptName: z.string(),
  compatibilityDate: z.string(),
  /** Of the one module, lower-case hex. */
  contentSha256: z.string(),
  bindings: z.array(ManifestEntry),
  routes: z.array(z.string()),
  /** Custom domains. */
  hostnames: z.array(z.string()),
  crons: z._default(z.array(z.string()), []),
})
export type Declaration = z.infer<typeof Declaration>

/** SHA-256 of a binding's fields besides name and type, keys sorted at every depth. */
export function hashValue(value: object): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('hex')
}

/** JSON with its keys sorted at every depth. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? sortKeys(item) : item,
  )
}

export function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
