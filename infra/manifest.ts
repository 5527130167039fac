import { createHash } from 'node:crypto'
import * as z from 'zod/mini'

/** A binding of a worker, with hashes instead of values. */
export const ManifestEntry = z.object({
  name: z.string(),
  type: z.string(),
  /** SHA-256 of each declared field, by path: `text`, `simple.limit`. Absent for a secret. */
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ManifestEntry = z.infer<typeof ManifestEntry>

/** Declared settings of a script by path, such as `limits.cpuMs`. A list is a comma-separated text. */
export const ScriptSettings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export type ScriptSettings = z.infer<typeof ScriptSettings>

/** Outputs of a stack that the drift check compares with the live account. */
export const Declaration = z.object({
  accountId: z.string(),
  zoneId: z.string(),
  scriptName: z.string(),
  /** Hash of the script's only module, lower-case hex. */
  contentSha256: z.string(),
  settings: ScriptSettings,
  bindings: z.array(ManifestEntry),
  /** Id of the D1 database; absent for media stacks. */
  invalidationsDatabaseId: z.optional(z.string()),
  routes: z.array(z.string()),
  /** Custom domains. */
  hostnames: z.array(z.string()),
  crons: z._default(z.array(z.string()), []),
})
export type Declaration = z.infer<typeof Declaration>

/** Returns the SHA-256 of each field by path. */
export function hashFields(value: object): Record<string, string> {
  const hashes = Object.entries(flatten(value)).map(([path, leaf]) => [path, hashValue(leaf)])
  return Object.fromEntries(hashes)
}

/**
 * Returns the leaves of an object by path, such as `logs.enabled`. A list becomes a sorted, comma-separated
 * text.
 */
export function flatten(value: object, prefix = ''): Record<string, unknown> {
  const leaves = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const path = `${prefix}${key}`
    if (Array.isArray(item)) return [[path, item.map(String).toSorted().join(', ')]]
    if (typeof item !== 'object' || item === null) return [[path, item]]
    return Object.entries(flatten(item, `${path}.`))
  })
  return Object.fromEntries(leaves)
}

export function hashValue(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('hex')
}

/** Returns JSON with sorted keys at every depth. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? sortKeys(item) : item,
  )
}

export function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
