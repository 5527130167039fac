import * as z from 'zod/mini'
import { toColumns } from './table.ts'

/** A difference as a report shows it. */
export const DifferenceRow = z.object({
  what: z.string(),
  name: z.string(),
  property: z.optional(z.string()),
  declared: z.string(),
  live: z.string(),
})
export type DifferenceRow = z.infer<typeof DifferenceRow>

const HEAD = ['WHAT', 'NAME', 'PROPERTY', 'DECLARED', 'LIVE']

/** One line for each property that differs; empty when none does. */
export function toDifferenceTable(differences: readonly DifferenceRow[]): string {
  if (differences.length === 0) return ''
  const rows = differences.map(({ what, name, property = '', declared, live }) => [
    ...[what, name, property, declared, live],
  ])
  return toColumns([HEAD, ...rows])
}
