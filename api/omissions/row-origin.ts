/** A row that does not match the contract, and the response field that was omitted or replaced. */
export interface Omission {
  table: string
  id: number | string
  field: string
}

export type RowOrigin = Pick<Omission, 'table' | 'id'>

const origins = new WeakMap<object, RowOrigin>()

/** Marks a part of a response with the row from which it was built, so that `repair` can report the row. */
export function withOrigin<T extends object>(table: string, id: RowOrigin['id'], part: T): T {
  origins.set(part, { table, id })
  return part
}

/** Returns the row from which a part of a response was built. */
export const getOrigin = (part: unknown): RowOrigin | undefined =>
  typeof part === 'object' && part !== null ? origins.get(part) : undefined

/** Called with each value that is omitted from a response. */
export type ReportOmission = (omission: Omission) => void
