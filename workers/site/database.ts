import type { Database } from './ports.ts'

interface D1Statement {
  bind(...parameters: readonly (string | number | null)[]): D1Statement
}

/** The part of the D1 binding `INVALIDATIONS` that the worker uses. */
export interface D1Binding {
  prepare(sql: string): D1Statement
  batch(statements: D1Statement[]): Promise<{ results: unknown[] }[]>
}

/** Wraps the D1 binding. Without a binding, `transact` rejects. */
export function toDatabase(binding: D1Binding | undefined): Database {
  return {
    async transact(statements) {
      if (!binding)
        throw new Error(
          'Binding INVALIDATIONS is missing. Declare the D1 database of this environment and deploy again.',
        )
      const prepared = statements.map(({ sql, parameters }) =>
        binding.prepare(sql).bind(...parameters),
      )
      return (await binding.batch(prepared)).map(({ results }) => results)
    },
  }
}
