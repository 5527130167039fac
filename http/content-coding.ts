// https://www.iana.org/assignments/http-parameters, "HTTP Content Coding Registry".
const CODINGS = /\b(br|compress|dcb|dcz|deflate|exi|gzip|pack200-gzip|zstd)\b/

/**
 * Classifies a Content-Encoding by how fetch() in Workers treats it: `decoded` for gzip or br alone,
 * `unreadable` for other codings, `plain` for values that are not registered codings, such as `aws-chunked`.
 */
export function classifyContentCoding(header: string | null): 'plain' | 'decoded' | 'unreadable' {
  const value = (header ?? '').trim().toLowerCase()
  if (value === 'gzip' || value === 'br') return 'decoded'
  return CODINGS.test(value) ? 'unreadable' : 'plain'
}
