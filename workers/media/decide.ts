import { readConditions } from '../../http/conditional.ts'
import type { Preconditions } from '../../http/preconditions.ts'
import { parseByteRange } from '../../http/range.ts'
import { parseKey, toCacheUrl } from './request/key.ts'

/** A request for an object. */
export interface ObjectRequest extends Preconditions {
  type: 'read'
  key: string
  cacheUrl: string
}
export type Decision = ObjectRequest | { type: 'preflight' | 'method-not-allowed' | 'not-found' }

/** Classifies a request before anything is read. `path` is the unnormalised path. */
export function decide(
  { method, headers }: Request,
  { host, path }: { host: string; path: string },
): Decision {
  if (method === 'OPTIONS') return { type: 'preflight' }
  if (method !== 'GET' && method !== 'HEAD') return { type: 'method-not-allowed' }
  const key = parseKey(path)
  if (key === undefined) return { type: 'not-found' }
  return {
    type: 'read',
    key,
    cacheUrl: toCacheUrl(host, key),
    method,
    ...readConditions(headers),
    ifRange: headers.get('if-range'),
    // RFC 9110 §14.2: Range is defined only for GET.
    range: method === 'GET' ? parseByteRange(headers.get('range')) : undefined,
  }
}
