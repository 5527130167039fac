import { type Conditions, readConditions } from '../../http/conditional.ts'
import { type ByteRange, parseByteRange } from '../../http/range.ts'
import { parseKey, toCacheUrl } from './request/key.ts'

export type Wanted = Conditions & {
  type: 'read'
  key: string
  cacheUrl: string
  method: 'GET' | 'HEAD'
  headers: Headers
  range: ByteRange | undefined
}
type Place = { host: string; path: string }
export type Decision = Wanted | { type: 'preflight' } | { type: 'refused' } | { type: 'no-object' }

/** What a request asks for at a place, its path as sent, before anything is read. */
export function decide({ method, headers }: Request, { host, path }: Place): Decision {
  if (method === 'OPTIONS') return { type: 'preflight' }
  if (method !== 'GET' && method !== 'HEAD') return { type: 'refused' }
  const key = parseKey(path)
  if (key === undefined) return { type: 'no-object' }
  // RFC 9110 §14.2: Range means something for GET only.
  const range = method === 'GET' ? parseByteRange(headers.get('range')) : undefined
  const cacheUrl = toCacheUrl(host, key)
  return { type: 'read', key, cacheUrl, method, headers, range, ...readConditions(headers) }
}
