import type { Fault } from './faults.ts'

/** The credential that a worker under test has; none may write. */
export type Credential = 'reader' | 'blind' | 'revoked' | 'impostor'
export type Reply = { status: number; headers: Headers; body: string }
export type Send = { method?: string; path?: string; headers?: Record<string, string> }
export type Seen = Record<string, string | RegExp | null>

/** A media worker with a store of its own behind it, wherever both of them run. */
export type Harness = {
  upload(key: string, body: string, contentType: string): Promise<void>
  send(credential: Credential, request: Send & { path: string }): Promise<Reply>
  /** Waits until the work behind the answers is done. */
  backgroundWork(): Promise<void>
  isCached(credential: Credential, path: string): Promise<boolean>
  /** Puts an entry into the edge cache as some other worker would. */
  seedCache(credential: Credential, path: string, body: string): Promise<void>
  setFault(fault: Fault | undefined): void
  /** Requests that the store has got so far. */
  countStoreReads(): number
}
