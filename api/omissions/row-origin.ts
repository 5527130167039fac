/** A row that does not match the contract, and the response field that was omitted or replaced. */
export interface Omission {
  table: string
  id: number | string
  field: string
}

export type Origin = Pick<Omission, 'table' | 'id'>

const origins = new WeakMap<object, Origin>()

/** Records the row that a part of a response comes from, so that `repair` can report it. */
export function fromRow<T extends object>(table: string, id: Origin['id'], part: T): T {
  origins.set(part, { table, id })
  return part
}

/** Returns the row that a part of a response comes from. */
export const originOf = (part: unknown): Origin | undefined =>
  typeof part === 'object' && part !== null ? origins.get(part) : undefined

/** Receives each value that is omitted from a response. */
export type Report = (omission: Omission) => void
