import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Query } from './database.ts'
import { invalid } from './problem.ts'

/** Sort key of the last item of a page, most significant part first. Instants are milliseconds. */
export type SortKey = readonly number[]

export interface Cursors {
  /** Returns the cursor of the next page. `listKey` identifies the list: endpoint, site and parameters. */
  write(sortKey: SortKey, listKey: string): Promise<string>
  /**
   * Returns the sort key in a cursor.
   * @throws ApiError validation_error when the cursor is invalid, forged or of another list
   */
  read(cursor: string, listKey: string): Promise<SortKey>
}

const MAC_BYTES = 16
const Payload = z.array(z.int())

/**
 * Creates functions for signed cursors. A cursor is the base64url of an HMAC over list key and sort key, followed by
 * the sort key as JSON.
 */
export function createCursors(query: Query): Cursors {
  let hmacKey: Promise<Buffer> | undefined
  return { write, read }

  async function write(sortKey: SortKey, listKey: string): Promise<string> {
    const payload = Buffer.from(JSON.stringify(sortKey))
    return Buffer.concat([sign(await getHmacKey(), payload, listKey), payload]).toString(
      'base64url',
    )
  }

  async function read(cursor: string, listKey: string): Promise<SortKey> {
    const bytes = Buffer.from(cursor, 'base64url')
    const mac = bytes.subarray(0, MAC_BYTES)
    const payload = bytes.subarray(MAC_BYTES)
    const expected = sign(await getHmacKey(), payload, listKey)
    const isSigned = mac.length === MAC_BYTES && timingSafeEqual(mac, expected)
    // Base64 decoders accept several spellings of the same bytes; only the canonical one is valid.
    if (!isSigned || bytes.toString('base64url') !== cursor)
      throw invalid('query', 'cursor', 'is not a cursor of this list')
    return Payload.parse(JSON.parse(payload.toString()))
  }

  function getHmacKey(): Promise<Buffer> {
    hmacKey ??= readHmacKey(query).catch((error) => {
      hmacKey = undefined
      throw error
    })
    return hmacKey
  }
}

function sign(key: Buffer, payload: Buffer, listKey: string): Buffer {
  return createHmac('sha256', key)
    .update(listKey)
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES)
}

// All instances share the key that a migration created.
async function readHmacKey(query: Query): Promise<Buffer> {
  const text = `SELECT value FROM api_secrets WHERE name = 'cursor'`
  const [row] = await query<{ value: Buffer }>({ text, values: [] })
  if (!row) throw new Error('Table api_secrets has no cursor key. Apply the migrations.')
  return row.value
}
