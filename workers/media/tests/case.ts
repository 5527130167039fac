import type { Fault } from './faults.ts'
import type { Credential, Seen, Send } from './harness.ts'

/** One request, and what is expected of the answer, of the store and of the cache after it. */
export type Step = {
  send?: Send
  fault?: Fault
  /** New body of the object, uploaded before the request. */
  replacement?: string
  status: number | 'broken off'
  body?: string
  headers?: Seen
  storeReads?: number
  cached?: boolean
  /** The next step does not wait for the work behind this one. */
  isFollowedAtOnce?: boolean
}
export type Case = {
  name: string
  credential?: Credential
  key?: string
  /** The object that is uploaded before; null for none. */
  object?: { body: string; contentType: string } | null
  seeded?: string
  steps: Step[]
}
