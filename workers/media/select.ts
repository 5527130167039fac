import { decideConditional } from '../../http/conditional.ts'
import { parseHttpDate } from '../../http/date.ts'
import { allowsRange, type ByteRange, resolveRange } from '../../http/range.ts'
import type { Wanted } from './decide.ts'
import type { Bodiless, Failed, Found, MediaObject, Read, Unchanged } from './object.ts'

/** Reads what is wanted, as the request asks for it or whole. */
export type Source = (as: 'asked' | 'whole') => Promise<Read>
export type Unserved = Omit<Found, 'type'> & { type: 'not-modified' | 'unsatisfiable' }
export type Selected = Exclude<Read, Unchanged | Bodiless> | Unserved

const NONSENSE: Failed = {
  type: 'failed',
  status: 502,
  reason: 'no body, though the whole was asked',
}

/**
 * Holds a request's conditions against what its source has, before any body is opened:
 * preconditions, then If-Range, then Range (RFC 9110 §13.2.2). What a source has decided by itself
 * (a 304 of the edge cache) counts when it agrees.
 */
export async function select(source: Source, wanted: Wanted): Promise<Selected> {
  const first = await source('asked')
  if (first.type === 'unchanged' && isNotModified(first.object, wanted)) {
    return { ...first, type: 'not-modified' }
  }
  const isOpen = first.type !== 'unchanged' && first.type !== 'bodiless'
  const read = isOpen ? first : await readWhole(source)
  if (read.type !== 'found') return read
  if (isNotModified(read.object, wanted)) return { ...read, type: 'not-modified' }
  if (!wanted.range) return read
  if (isRangeAllowed(read.object, wanted)) return cut(read, wanted.range)
  if (!read.part) return read
  await read.body?.cancel()
  return readWhole(source)
}

async function readWhole(source: Source): Promise<Exclude<Read, Unchanged | Bodiless>> {
  const read = await source('whole')
  return read.type === 'unchanged' || read.type === 'bodiless' ? NONSENSE : read
}

function isNotModified(object: MediaObject, { method, headers, isConditional }: Wanted): boolean {
  if (!isConditional) return false
  return decideConditional({ method, headers, ...toValidators(object) }) === 'not-modified'
}

function isRangeAllowed(object: MediaObject, { headers }: Wanted): boolean {
  const ifRange = headers.get('if-range')
  return ifRange === null || allowsRange(ifRange, toValidators(object))
}

function toValidators({ etag, lastModified, date }: MediaObject) {
  return { etag, lastModified: parseHttpDate(lastModified), date }
}

// A source may give the whole where a part was asked for: it is one when the part is all of it.
function cut(read: Found, range: ByteRange): Selected {
  const { size } = read.object
  if (read.part || size === undefined) return read
  const part = resolveRange(range, size)
  if (part.type === 'unsatisfiable') return { ...read, type: 'unsatisfiable' }
  const isAll = part.type === 'range' && part.end - part.start + 1 === size
  return isAll ? { ...read, part } : read
}
