import { decideConditional } from '../../../http/conditional.ts'
import { parseHttpDate } from '../../../http/date.ts'
import { allowsRange, type ByteRange, resolveRange } from '../../../http/range.ts'
import type { Wanted } from '../decide.ts'
import type { Bodiless, Found, Read, Unchanged } from '../store/object.ts'

/** Reads what is wanted, as the request asks for it or whole. */
export type Source = (as: 'asked' | 'whole') => Promise<Read>
export type Unserved = Omit<Found, 'type'> & { type: 'not-modified' | 'unsatisfiable' }
export type Selected = Settled | Unserved
type Settled = Exclude<Read, Unchanged | Bodiless>

/**
 * Holds a request's conditions against what its source has, before any body is opened:
 * preconditions, then If-Range, then Range (RFC 9110 §13.2.2). What a source has decided by itself
 * (a 304 of the edge cache) counts when it agrees.
 */
export async function select(source: Source, wanted: Wanted): Promise<Selected> {
  const first = await source('asked')
  if (first.type === 'unchanged' && isNotModified(first, wanted)) {
    return { ...first, type: 'not-modified' }
  }
  const isSettled = first.type !== 'unchanged' && first.type !== 'bodiless'
  const read = isSettled ? first : await readWhole(source)
  if (read.type !== 'found') return read
  if (isNotModified(read, wanted)) return { ...read, type: 'not-modified' }
  if (!wanted.range) return read
  const ifRange = wanted.headers.get('if-range')
  if (ifRange === null || allowsRange(ifRange, toValidators(read))) return cut(read, wanted.range)
  if (!read.part) return read
  await read.body?.cancel()
  return readWhole(source)
}

async function readWhole(source: Source): Promise<Settled> {
  const read = await source('whole')
  if (read.type !== 'unchanged' && read.type !== 'bodiless') return read
  return { type: 'failed', status: 502, reason: 'no body, though the whole was asked' }
}

function isNotModified(
  { etag, lastModified }: Found | Unchanged,
  { method, ifNoneMatch, ifModifiedSince }: Wanted,
): boolean {
  const conditional = { method, ifNoneMatch, ifModifiedSince, etag }
  // RFC 9110 §13.1.3: a date counts only where no tag is named.
  const isDated = ifNoneMatch === null && ifModifiedSince !== null
  const since = isDated ? parseHttpDate(lastModified) : undefined
  return decideConditional({ ...conditional, lastModified: since }) === 'not-modified'
}

function toValidators({ etag, lastModified, date }: Found) {
  return { etag, lastModified: parseHttpDate(lastModified), date }
}

// A source may give the whole where a part was asked for: it is one when the part is all of it.
function cut(read: Found, range: ByteRange): Selected {
  if (read.part || read.size === undefined) return read
  const part = resolveRange(range, read.size)
  if (part.type === 'unsatisfiable') return { ...read, type: 'unsatisfiable' }
  if (part.type === 'none' || part.end - part.start + 1 < read.size) return read
  return { ...read, part }
}
