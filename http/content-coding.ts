// https://www.iana.org/assignments/http-parameters, "HTTP Content Coding Registry".
const CODINGS = /\b(br|compress|dcb|dcz|deflate|exi|gzip|pack200-gzip|zstd)\b/

/**
 * How fetch() in Workers treats a Content-Encoding: it decodes gzip and br where they stand alone,
 * and passes others on. Values that are no registered coding change nothing, such as `aws-chunked`.
 */
export function classifyContentCoding(header: string | null): 'plain' | 'decoded' | 'unreadable' {
  const value = (header ?? '').trim().toLowerCase()
  if (value === 'gzip' || value === 'br') return 'decoded'
  return CODINGS.test(value) ? 'unreadable' : 'plain'
}
