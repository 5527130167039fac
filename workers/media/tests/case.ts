import type { Fault } from './faults.ts'
import type { Credential, ExpectedHeaders, SentRequest } from './harness.ts'

/** One request, with the expected response, store reads and cache entry. */
export type Step = {
  send?: SentRequest
  fault?: Fault
  /** New body of the object, uploaded before the request. */
  replacement?: string
  status: number | 'broken off'
  body?: string
  headers?: ExpectedHeaders
  storeReads?: number
  cached?: boolean
  /** The next step does not wait for this step's work after the response. */
  skipsWaiting?: boolean
}
export type Case = {
  name: string
  credential?: Credential
  key?: string
  /** The object that is uploaded before; null for none. */
  object?: { body: string; contentType: string } | null
  /** Body of an entry of another worker in the edge cache. */
  seeded?: string
  steps: Step[]
}
