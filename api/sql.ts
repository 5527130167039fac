import { TEXT_LIMITS } from '../contract/primitives.ts'
import type { SqlStatement } from './database.ts'

/** Collects the values of a dynamic statement: `bind(value)` returns `$1`, `$2` … */
export function createBinder(): {
  bind(value: unknown): string
  finish(text: string): SqlStatement
} {
  const values: unknown[] = []
  return {
    bind: (value) => `$${values.push(value)}`,
    finish: (text) => ({ text, values }),
  }
}

/** SQL expression: a text column, cut one character after its limit. A longer text still fails validation. */
export const limitText = (column: string, limit: keyof typeof TEXT_LIMITS): string =>
  `left(${column}, ${TEXT_LIMITS[limit] + 1})`

const MAX_JSON_BYTES = 200_000

/** SQL expression: a JSON column; null when it is too large. */
export const limitJson = (column: string): string =>
  `CASE WHEN pg_column_size(${column}) < ${MAX_JSON_BYTES} THEN ${column} END`
