import * as z from 'zod/mini'
import { toColumns } from './table.ts'

/** A row of a drift report. */
export const DifferenceRow = z.object({
  what: z.string(),
  name: z.string(),
  property: z.optional(z.string()),
  declared: z.string(),
  live: z.string(),
})
export type DifferenceRow = z.infer<typeof DifferenceRow>

const HEAD = ['WHAT', 'NAME', 'PROPERTY', 'DECLARED', 'LIVE']

/** Returns a table with one line for each difference; empty when there are none. */
export function toDifferenceTable(differences: readonly DifferenceRow[]): string {
  if (differences.length === 0) return ''
  const rows = differences.map(({ what, name, property = '', declared, live }) => [
    what,
    name,
    property,
    declared,
    live,
  ])
  return toColumns([HEAD, ...rows])
}
