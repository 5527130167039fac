import { createHmac } from 'node:crypto'

/** External values that a program reads; generated ones are derived from the seed. */
export interface StubContext {
  seed: string
  region: string
  /** Function URL of a function; by default one in AWS's format. */
  functionUrl?: string | undefined
}

/** A lower-case hex text of `length` digits derived from the seed and a name. */
export function derive(seed: string, of: string, length = 32): string {
  return createHmac('sha512', seed).update(of).digest('hex').slice(0, length)
}
