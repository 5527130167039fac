import { decideConditional } from '../../http/conditional.ts'
import { allowsRange, type ByteRange, resolveRange } from '../../http/range.ts'
import type { Wanted } from './decide.ts'
import type { Failed, Found, OutOfRange, Read } from './object.ts'

/** Reads the object that is wanted, or a part of it where the source can give parts. */
export type Source = (range?: ByteRange) => Promise<Read>
export type Unserved = Omit<Found, 'type'> & { type: 'not-modified' | 'unsatisfiable' }
export type Selected = Exclude<Read, OutOfRange> | Unserved

const NONSENSE: Failed = {
  type: 'failed',
  status: 502,
  reason: 'a range refused that nobody asked',
}

/**
 * Holds a request's conditions against what its source has, before any body is opened:
 * preconditions, then If-Range, then Range (RFC 9110 §13.2.2).
 */
export async function select(source: Source, wanted: Wanted): Promise<Selected> {
  const { method, headers, range } = wanted
  const first = await source(range)
  const read = first.type === 'out-of-range' ? await readWhole(source) : first
  if (read.type !== 'found') return read
  if (decideConditional({ method, headers, ...read.object }) === 'not-modified') {
    return { ...read, type: 'not-modified' }
  }
  if (!range) return read
  if (allowsRange(headers.get('if-range'), read.object)) return cut(read, range)
  if (!read.part) return read
  await read.body?.cancel()
  return readWhole(source)
}

async function readWhole(source: Source): Promise<Exclude<Read, OutOfRange>> {
  const read = await source()
  return read.type === 'out-of-range' ? NONSENSE : read
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
