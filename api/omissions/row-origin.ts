/** A row that broke the contract, and the field of the answer that was left out or replaced for it. */
export interface Omission {
  table: string
  id: number | string
  field: string
}

export type Origin = Pick<Omission, 'table' | 'id'>

const origins = new WeakMap<object, Origin>()

/** Remembers which row a part of an answer was made of, for `repair` to name it. */
export function fromRow<T extends object>(table: string, id: Origin['id'], part: T): T {
  origins.set(part, { table, id })
  return part
}

/** The row that a part of an answer was made of. */
export const originOf = (part: unknown): Origin | undefined =>
  typeof part === 'object' && part !== null ? origins.get(part) : undefined

/** Receives what was left out of an answer. */
export type Report = (omission: Omission) => void
