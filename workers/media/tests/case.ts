import type { Fault } from './faults.ts'
import type { Credential, Seen, Send } from './harness.ts'

/** One request, with the expected response, store reads and cache entry. */
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
  /** The next step does not wait for this step's work after the response. */
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
