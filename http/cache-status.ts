/** Reason why the cache forwarded a request (RFC 9211 §2.2). */
type ForwardReason =
  | 'bypass'
  | 'method'
  | 'uri-miss'
  | 'vary-miss'
  | 'miss'
  | 'request'
  | 'stale'
  | 'partial'

export interface CacheStatus {
  hit?: boolean
  fwd?: ForwardReason
  fwdStatus?: number
  ttl?: number
  stored?: boolean
  collapsed?: boolean
  key?: string
  detail?: string
}

/** Creates the Cache-Status value of one cache (RFC 9211 §2). `ttl` is in seconds, negative for a stale response. */
export function toCacheStatus(cache: string, status: CacheStatus): string {
  const parameters = [
    status.hit && 'hit',
    status.fwd && `fwd=${status.fwd}`,
    status.fwdStatus !== undefined && `fwd-status=${status.fwdStatus}`,
    status.ttl !== undefined && `ttl=${Math.trunc(status.ttl)}`,
    status.stored && 'stored',
    status.collapsed && 'collapsed',
    status.key !== undefined && `key=${toQuoted(status.key)}`,
    status.detail !== undefined && `detail=${toItem(status.detail)}`,
  ]
  return [toItem(cache), ...parameters.filter(Boolean)].join('; ')
}

// RFC 9651 §3.3.4: a token if its characters allow it, otherwise a string.
function toItem(value: string): string {
  return /^[A-Za-z*][\w:/!#$%&'*+\-.^`|~]*$/.test(value) ? value : toQuoted(value)
}

// RFC 9651 §3.3.3: printable ASCII, `"` and `\` escaped.
function toQuoted(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}
