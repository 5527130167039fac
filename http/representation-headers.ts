import { parseDisposition, toAttachment } from './content-disposition.ts'
import { guessMediaType, OCTET_STREAM, parseMediaType } from './media-type.ts'

/** Headers that a file was stored with, which may be empty. Its key ends in its name. */
export interface StoredFile {
  key: string
  contentType: string
  contentDisposition: string
  contentLanguage: string
}

const GENERIC = /^$|^(application|binary)\/octet-stream$/
const INLINE =
  /^(image|audio|video|font)\/(?!.*xml$)|^text\/(css|csv|plain|vtt)$|^application\/(json|pdf)$/
const ACTIVE = /^(text|multipart|message)\/|[/+]xml$|script|flash/
// RFC 9110 §8.5.
const LANGUAGES = /^[\w-]+( *, *[\w-]+)*$/
const SCRIPTABLE_IMAGE = 'image/svg+xml'
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/**
 * Headers for a file that somebody uploaded: by its stored type, or by its name where that is generic.
 * Pictures, sound, fonts, plain text and PDF open in the browser. Other types are downloads, and types
 * that a browser could execute (HTML, XML, scripts) become `application/octet-stream`. SVG opens in a
 * sandbox.
 */
export function representationHeaders(file: StoredFile): Record<string, string> {
  const name = file.key.slice(file.key.lastIndexOf('/') + 1)
  const stored = parseMediaType(file.contentType)
  const isGeneric = GENERIC.test(stored.essence)
  const { essence, parameters } = isGeneric
    ? { essence: guessMediaType(name), parameters: '' }
    : stored
  const disposition = parseDisposition(file.contentDisposition)
  const common = {
    ...(disposition && { 'content-disposition': disposition }),
    ...(LANGUAGES.test(file.contentLanguage) && { 'content-language': file.contentLanguage }),
  }
  if (essence === SCRIPTABLE_IMAGE) {
    return { ...common, 'content-type': essence, 'content-security-policy': SANDBOX }
  }
  if (INLINE.test(essence)) {
    return { ...common, 'content-type': essence + (parameters || toCharset(essence)) }
  }
  return {
    ...common,
    'content-type': ACTIVE.test(essence) ? OCTET_STREAM : essence,
    // A stored `inline` does not apply: these types may not open in the browser.
    'content-disposition': disposition?.startsWith('attachment') ? disposition : toAttachment(name),
    'content-security-policy': SANDBOX,
  }
}

function toCharset(essence: string): string {
  return essence.startsWith('text/') ? '; charset=utf-8' : ''
}
