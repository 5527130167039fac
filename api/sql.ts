import type { Statement } from './database.ts'

/** Collects the values of a statement that is put together: `bind(value)` gives `$1`, `$2` … */
export function createBinder(): { bind(value: unknown): string; finish(text: string): Statement } {
  const values: unknown[] = []
  return {
    bind: (value) => `$${values.push(value)}`,
    finish: (text) => ({ text, values }),
  }
}
