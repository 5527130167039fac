// RFC 6266 §4.1: a disposition, optionally with parameters, in printable ASCII.
const DISPOSITION = /^(inline|attachment)[ \t]*(;[\x20-\x7e]*)?$/i

/** Returns the value if it is `inline` or `attachment`, with or without parameters; undefined for any other. */
export function parseDisposition(value: string): string | undefined {
  return DISPOSITION.test(value) ? value : undefined
}

/** Creates an `attachment` with the exact name (RFC 8187), and an ASCII name for old clients (RFC 6266 §4.3). */
export function toAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`
}
