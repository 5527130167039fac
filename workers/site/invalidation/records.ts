import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { within } from '../cache/deadline.ts'
import { parseJson } from '../cache/json.ts'
import type { Ports, Scope } from '../ports.ts'
import { covers, dropBefore, EMPTY_RECORD, mergeRecords, PurgeRecord } from './record.ts'

/** `known` false: no layer could be asked, so that only copies with a short life may be trusted. */
export type KnownRecord = { record: PurgeRecord; known: boolean }

const Copy = z.object({ record: PurgeRecord, checkedAt: z.int() })
type Copy = z.infer<typeof Copy>

const FRESH_MS = 5000
const AHEAD_MS = 1000
const KV_CACHE_SECONDS = 30
const KV_PATIENCE_MS = { known: 250, unknown: 2000 }
const EDGE_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: 300 }) }
const FORGOTTEN_AFTER_MS = 15 * 60_000
const WRITE_TRIES = 5
const WRITE_PAUSE_MS = 1100

/** The purge record of a host: isolate memory, then the edge cache, then KV. No layer forgets what another said. */
export class Records {
  readonly #ports: Ports
  readonly #key: string
  readonly #url: string
  #record = EMPTY_RECORD
  #forgotten = 0
  #checkedAt = 0
  #checkAt = 0
  #checkingUntil = 0
  #written = EMPTY_RECORD
  #writingUntil = 0

  constructor(ports: Ports, host: string) {
    this.#ports = ports
    this.#key = `purge:${host}`
    this.#url = `https://${host}/__cms/purge-record`
  }

  /** What this isolate knows without asking anyone. */
  peek(): PurgeRecord {
    return this.#record
  }

  /** The record as it was at most five seconds ago, as far as KV shows it here. */
  async read(scope: Scope): Promise<KnownRecord> {
    const now = this.#ports.now()
    // Shortly before its time one request asks, and the others need not wait for it.
    const early = now < this.#checkAt - AHEAD_MS || this.#checkingUntil > now
    if (now < this.#checkAt && early) return this.#toKnown()
    this.#checkingUntil = now + AHEAD_MS
    return scope.measure('record', this.#check(scope))
  }

  /** Voids; false when KV took no write. This isolate and its data centre see it at once. */
  async raise(change: PurgeRecord): Promise<boolean> {
    this.#record = mergeRecords(this.#record, change)
    for (let tries = 0; tries < WRITE_TRIES; ) {
      if (covers(this.#written, change)) return true
      // KV takes one write a second per key: who waits finds its own change in what was written.
      if (this.#writingUntil > this.#ports.now()) {
        await this.#ports.sleep(100)
        continue
      }
      tries++
      if (await this.#write((stored) => mergeRecords(stored, this.#record))) return true
      await this.#ports.sleep(WRITE_PAUSE_MS * (1 + this.#ports.random()))
    }
    return false
  }

  /** Raises again what KV shows no more, because a write from elsewhere knew nothing of it. */
  async restore(change: PurgeRecord): Promise<boolean> {
    this.#written = await this.#readKv()
    return this.raise(change)
  }

  /** Drops the paths that were purged before the instant, and learns them from no other copy again. */
  async forget(before: number): Promise<boolean> {
    this.#forgotten = before
    this.#record = dropBefore(this.#record, before)
    return this.#write((stored) => dropBefore(mergeRecords(stored, this.#record), before))
  }

  async #check(scope: Scope): Promise<KnownRecord> {
    const copy = await this.#matchCopy()
    if (copy) this.#learn(copy)
    if (copy && this.#ports.now() - copy.checkedAt < FRESH_MS) {
      // Another isolate overwrote what this one knows.
      if (!covers(copy.record, this.#record)) scope.background(this.#putCopy())
      return this.#toKnown()
    }
    const asked = this.#ask()
    scope.background(asked.catch((error) => this.#warn('read', error)))
    const patience = this.#checkedAt > 0 ? KV_PATIENCE_MS.known : KV_PATIENCE_MS.unknown
    await within(patience, asked, this.#ports.sleep).catch(() => {
      this.#checkAt = this.#ports.now() + FRESH_MS
    })
    return this.#toKnown()
  }

  async #ask(): Promise<void> {
    const checkedAt = this.#ports.now()
    this.#learn({ record: await this.#readKv(), checkedAt })
    await this.#putCopy()
  }

  async #write(toNext: (stored: PurgeRecord) => PurgeRecord): Promise<boolean> {
    this.#writingUntil = this.#ports.now() + KV_PATIENCE_MS.unknown
    try {
      const copy = await this.#matchCopy()
      if (copy) this.#learn(copy)
      const next = toNext(await this.#readKv())
      const put = this.#ports.kv.put(this.#key, JSON.stringify(next))
      await within(KV_PATIENCE_MS.unknown, put, this.#ports.sleep)
      this.#written = next
      this.#learn({ record: next, checkedAt: this.#ports.now() })
      await this.#putCopy()
      return true
    } catch (error) {
      this.#warn('write', error)
      return false
    } finally {
      this.#writingUntil = 0
    }
  }

  #learn({ record, checkedAt }: Copy): void {
    const merged = mergeRecords(this.#record, record)
    const forgotten = Math.max(this.#forgotten, this.#ports.now() - FORGOTTEN_AFTER_MS)
    this.#record = dropBefore(merged, forgotten)
    this.#checkedAt = Math.max(this.#checkedAt, checkedAt)
    this.#checkAt = this.#checkedAt + FRESH_MS
  }

  #toKnown(): KnownRecord {
    return { record: this.#record, known: this.#checkedAt > 0 }
  }

  async #readKv(): Promise<PurgeRecord> {
    const asked = this.#ports.kv.get(this.#key, { cacheTtl: KV_CACHE_SECONDS })
    const text = await within(KV_PATIENCE_MS.unknown, asked, this.#ports.sleep)
    return (text !== null && parseJson(text, PurgeRecord)) || EMPTY_RECORD
  }

  async #matchCopy(): Promise<Copy | undefined> {
    const text = this.#ports.edge.match(this.#url).then((response) => response?.text())
    return parseJson((await text.catch(() => undefined)) ?? '', Copy)
  }

  async #putCopy(): Promise<void> {
    const copy = { record: this.#record, checkedAt: this.#checkedAt }
    const response = new Response(JSON.stringify(copy), { headers: EDGE_HEADERS })
    await this.#ports.edge.put(this.#url, response).catch((error) => this.#warn('put', error))
  }

  #warn(action: string, error: unknown): void {
    this.#ports.log('warn', { event: 'purge-record', action, error: String(error) })
  }
}
