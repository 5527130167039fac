import type { Fault } from './faults.ts'

/** The worker's credential for the store: valid, without the right to list, or rejected. None may write. */
export type Credential = 'reader' | 'cannotList' | 'revoked' | 'wrongSecret'
export type Reply = { status: number; headers: Headers; body: string }
export type SentRequest = { method?: string; path?: string; headers?: Record<string, string> }
/** Expected header values; null: the header is absent. */
export type ExpectedHeaders = Record<string, string | RegExp | null>

/** A media worker with its store, in this process or in workerd. */
export type Harness = {
  upload(key: string, body: string, contentType: string): Promise<void>
  send(credential: Credential, request: SentRequest & { path: string }): Promise<Reply>
  /** Waits for the work that continues after the responses (`waitUntil`). */
  finishBackgroundWork(): Promise<void>
  isCached(credential: Credential, path: string): Promise<boolean>
  /** Writes an entry into the edge cache as another worker would. */
  seedCache(credential: Credential, path: string, body: string): Promise<void>
  setFault(fault: Fault | undefined): void
  /** Returns the number of requests that the worker has sent to the store so far. */
  countStoreReads(): number
}
