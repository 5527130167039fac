import { createHmac } from 'node:crypto'

/** Answers to a program from outside it; generated values are derived from one seed. */
export interface StubContext {
  seed: string
  region: string
  /** Where the Function URL of a function answers. Absent: one in the form of AWS. */
  functionUrl?: string | undefined
}

/** A lower-case hex text of `length` digits that only the seed's owner can foretell. */
export function derive(seed: string, of: string, length = 32): string {
  return createHmac('sha512', seed).update(of).digest('hex').slice(0, length)
}
