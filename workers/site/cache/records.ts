import * as z from 'zod/mini'
import type { Ports, Scope } from '../ports.ts'
import { parseJson } from './json.ts'
import { covers, dropBefore, EMPTY_RECORD, mergeRecords, PurgeRecord } from './record.ts'
import { within } from './time.ts'

/** `known` false: no layer could be asked, so that only copies with a short life may be trusted. */
export type KnownRecord = { record: PurgeRecord; known: boolean }

export type Records = {
  read(scope: Scope): Promise<KnownRecord>
  /** What this isolate knows without asking anyone. */
  peek(): PurgeRecord
  /** Voids; false when KV took no write. This isolate and this data centre see it at once. */
  raise(change: PurgeRecord): Promise<boolean>
  /** Drops the paths that were purged before the instant. */
  forget(before: number): Promise<boolean>
}

type Memory = { record: PurgeRecord; checkedAt: number; checkAt: number; busyUntil: number }

const Copy = z.object({ record: PurgeRecord, checkedAt: z.int() })
type Copy = z.infer<typeof Copy>

const FRESH_MS = 5000
const AHEAD_MS = 1000
const KV_CACHE_SECONDS = 30
const KV_PATIENCE_MS = { known: 250, unknown: 2000 }
const EDGE_SECONDS = 300
const FORGOTTEN_AFTER_MS = 15 * 60_000
const WRITE_TRIES = 5
const WRITE_PAUSE_MS = 1100

/** The purge record of a host: isolate memory, then the edge cache, then KV. No layer forgets what another said. */
export function createRecords(ports: Ports, host: string): Records {
  const key = `purge:${host}`
  const url = `https://${host}/__cms/purge-record`
  const memory: Memory = { record: EMPTY_RECORD, checkedAt: 0, checkAt: 0, busyUntil: 0 }
  let written = EMPTY_RECORD
  let writingUntil = 0

  return { read, peek: () => memory.record, raise, forget }

  async function read(scope: Scope): Promise<KnownRecord> {
    const now = ports.now()
    // Shortly before its time one request asks, and the others need not wait for it.
    const asking = memory.busyUntil > now || now < memory.checkAt - AHEAD_MS
    if (now < memory.checkAt && asking) return toKnown()
    memory.busyUntil = now + AHEAD_MS
    return scope.measure('record', check(scope))
  }

  async function check(scope: Scope): Promise<KnownRecord> {
    const copy = await matchCopy()
    if (copy) learn(copy)
    if (copy && ports.now() - copy.checkedAt < FRESH_MS) return toKnown()
    const asked = readKv().then(async (stored) => {
      learn({ record: stored, checkedAt: ports.now() })
      await putCopy()
    })
    scope.background(asked.catch((error) => warn('read', error)))
    const patience = memory.checkedAt > 0 ? KV_PATIENCE_MS.known : KV_PATIENCE_MS.unknown
    await within(patience, asked, ports.sleep).catch(() => {
      memory.checkAt = ports.now() + FRESH_MS
    })
    return toKnown()
  }

  function toKnown(): KnownRecord {
    return { record: memory.record, known: memory.checkedAt > 0 }
  }

  function learn({ record, checkedAt }: Copy): void {
    const merged = mergeRecords(memory.record, record)
    memory.record = dropBefore(merged, ports.now() - FORGOTTEN_AFTER_MS)
    memory.checkedAt = Math.max(memory.checkedAt, checkedAt)
    memory.checkAt = memory.checkedAt + FRESH_MS
  }

  async function raise(change: PurgeRecord): Promise<boolean> {
    memory.record = mergeRecords(memory.record, change)
    for (let tries = 0; tries < WRITE_TRIES; ) {
      if (covers(written, change)) return true
      if (writingUntil > ports.now()) {
        await ports.sleep(100)
        continue
      }
      tries++
      if (await write((stored) => mergeRecords(stored, memory.record))) return true
      await ports.sleep(WRITE_PAUSE_MS * (1 + ports.random()))
    }
    return false
  }

  async function forget(before: number): Promise<boolean> {
    memory.record = dropBefore(memory.record, before)
    return write((stored) => dropBefore(mergeRecords(stored, memory.record), before))
  }

  // KV takes one write a second per key: who waits meanwhile finds its own change in what was written.
  async function write(toNext: (stored: PurgeRecord) => PurgeRecord): Promise<boolean> {
    writingUntil = ports.now() + KV_PATIENCE_MS.unknown
    try {
      const copy = await matchCopy()
      if (copy) learn(copy)
      const next = toNext(await readKv())
      await within(KV_PATIENCE_MS.unknown, ports.kv.put(key, JSON.stringify(next)), ports.sleep)
      written = next
      learn({ record: next, checkedAt: ports.now() })
      await putCopy()
      return true
    } catch (error) {
      warn('write', error)
      return false
    } finally {
      writingUntil = 0
    }
  }

  async function readKv(): Promise<PurgeRecord> {
    const asked = ports.kv.get(key, { cacheTtl: KV_CACHE_SECONDS })
    const text = await within(KV_PATIENCE_MS.unknown, asked, ports.sleep)
    return (text !== null && parseJson(text, PurgeRecord)) || EMPTY_RECORD
  }

  async function matchCopy(): Promise<Copy | undefined> {
    const response = await ports.edge.match(url).catch(() => undefined)
    return response && parseJson(await response.text(), Copy)
  }

  async function putCopy(): Promise<void> {
    const { record, checkedAt } = memory
    const headers = { 'cache-control': `public, max-age=${EDGE_SECONDS}` }
    const copy = new Response(JSON.stringify({ record, checkedAt }), { headers })
    await ports.edge.put(url, copy).catch((error) => warn('put', error))
  }

  function warn(action: string, error: unknown): void {
    ports.log('warn', { event: 'purge-record', action, error: String(error) })
  }
}
