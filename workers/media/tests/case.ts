import type { Fault } from './faults.ts'
import type { Credential, ExpectedHeaders, SentRequest } from './harness.ts'

/** One request with its expected response, number of store reads, and whether the object is cached afterwards. */
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
  /** Whether the next step begins without waiting for this step's work after the response. */
  skipsWaiting?: boolean
}
export type Case = {
  name: string
  credential?: Credential
  key?: string
  /** The object that is uploaded before the first step; by default TEXT, null for none. */
  object?: { body: string; contentType: string } | null
  /** Body of an entry that another worker has in the edge cache at the URL of the object. */
  seeded?: string
  steps: Step[]
}
