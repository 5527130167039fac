/** A value that was omitted from a response or replaced, because it does not match the contract, and its row. */
export interface Omission {
  table: string
  id: number | string
  /** Path of the value in the part of the response that was built from the row. */
  field: string
}

export type SourceRow = Pick<Omission, 'table' | 'id'>

const sourceRows = new WeakMap<object, SourceRow>()

/** Marks a part of a response with the row from which it was built, so that `repair` can report the row. */
export function withSourceRow<T extends object>(table: string, id: SourceRow['id'], part: T): T {
  sourceRows.set(part, { table, id })
  return part
}

/** Returns the row from which a part of a response was built; undefined if it was not marked. */
export const getSourceRow = (part: unknown): SourceRow | undefined =>
  typeof part === 'object' && part !== null ? sourceRows.get(part) : undefined

/** Called with each value that is omitted from a response or replaced. */
export type ReportOmission = (omission: Omission) => void
