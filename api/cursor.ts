import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Query } from './database.ts'
import { invalid } from './problem.ts'

/** Sort key of the last item of a page, most significant part first; instants are milliseconds. */
export type Position = readonly number[]

export interface Cursors {
  /** `binding` names endpoint, site and parameters. */
  write(position: Position, binding: string): Promise<string>
  /** @throws ApiError validation_error when the cursor is forged, broken or bound to something else */
  read(cursor: string, binding: string): Promise<Position>
}

const MAC_BYTES = 16
const Payload = z.array(z.int())

/** Creates signed cursors: base64url of an HMAC over position and binding, then the position as JSON. */
export function createCursors(query: Query): Cursors {
  let key: Promise<Buffer> | undefined
  return { write, read }

  async function write(position: Position, binding: string): Promise<string> {
    const payload = Buffer.from(JSON.stringify(position))
    return Buffer.concat([sign(await getKey(), payload, binding), payload]).toString('base64url')
  }

  async function read(cursor: string, binding: string): Promise<Position> {
    const bytes = Buffer.from(cursor, 'base64url')
    const mac = bytes.subarray(0, MAC_BYTES)
    const payload = bytes.subarray(MAC_BYTES)
    const expected = sign(await getKey(), payload, binding)
    // Base64 decoders accept several spellings of the same bytes; only the canonical one is valid.
    const genuine = mac.length === MAC_BYTES && timingSafeEqual(mac, expected)
    if (!genuine || bytes.toString('base64url') !== cursor)
      throw invalid('query', 'cursor', 'is not a cursor of this list')
    return Payload.parse(JSON.parse(payload.toString()))
  }

  function getKey(): Promise<Buffer> {
    key ??= readKey(query).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }
}

function sign(key: Buffer, payload: Buffer, binding: string): Buffer {
  return createHmac('sha256', key)
    .update(binding)
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES)
}

// All instances share the key that a migration created.
async function readKey(query: Query): Promise<Buffer> {
  const text = `SELECT value FROM api_secrets WHERE name = 'cursor'`
  const [row] = await query<{ value: Buffer }>({ text, values: [] })
  if (!row) throw new Error('Table api_secrets has no cursor key. Apply the migrations.')
  return row.value
}
