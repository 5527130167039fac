import type { Fault } from './faults.ts'

/** The credential of the tested worker; no credential may write. */
export type Credential = 'reader' | 'cannotList' | 'revoked' | 'wrongSecret'
export type Reply = { status: number; headers: Headers; body: string }
export type SentRequest = { method?: string; path?: string; headers?: Record<string, string> }
/** Expected header values; null: the header is absent. */
export type ExpectedHeaders = Record<string, string | RegExp | null>

/** A media worker with its store, in this process or in workerd. */
export type Harness = {
  upload(key: string, body: string, contentType: string): Promise<void>
  send(credential: Credential, request: SentRequest & { path: string }): Promise<Reply>
  /** Waits until the work after the responses is done. */
  backgroundWork(): Promise<void>
  isCached(credential: Credential, path: string): Promise<boolean>
  /** Writes an entry of another worker into the edge cache. */
  seedCache(credential: Credential, path: string, body: string): Promise<void>
  setFault(fault: Fault | undefined): void
  /** Requests that the store has received so far. */
  countStoreReads(): number
}
