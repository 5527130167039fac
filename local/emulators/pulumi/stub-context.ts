import { createHmac } from 'node:crypto'

/** Values that computed outputs depend on. */
export interface StubContext {
  /** Text from which ids and secrets are derived. */
  seed: string
  region: string
  /** URL of a function; by default one in AWS's format. */
  functionUrl?: string | undefined
}

/** Returns `length` lower-case hex digits, derived from a seed and a name. */
export function derive(seed: string, name: string, length = 32): string {
  return createHmac('sha512', seed).update(name).digest('hex').slice(0, length)
}
