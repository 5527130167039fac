import { parseDisposition, toAttachment } from './content-disposition.ts'
import { guessMediaType, OCTET_STREAM, parseMediaType } from './media-type.ts'

/** Stored headers of a file, which may be empty. The key ends with the name of the file. */
export interface StoredFile {
  key: string
  contentType: string
  contentDisposition: string
  contentLanguage: string
}

// Types that say nothing about the content.
const GENERIC = /^$|^(application|binary)\/octet-stream$/
// Types that browsers display or use in a page, except XML.
const INLINE =
  /^(image|audio|video|font)\/(?!.*xml$)|^text\/(css|csv|plain|vtt)$|^application\/(json|pdf)$/
// Types that a browser could execute.
const ACTIVE = /^(text|multipart|message)\/|[/+]xml$|script|flash/
// Value of Content-Language, RFC 9110 §8.5.
const LANGUAGES = /^[\w-]+( *, *[\w-]+)*$/
const SCRIPTABLE_IMAGE = 'image/svg+xml'
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/**
 * Creates the response headers of an uploaded file. The type is the stored one; if it is generic, the type follows from
 * the extension of the name. Browsers display pictures, sound, video, fonts, CSS, plain text, JSON and PDF, and display
 * SVG in a sandbox. Other types are downloads. Types that a browser could execute (HTML, XML, scripts) become
 * `application/octet-stream`.
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
    // A stored `inline` is ignored, because browsers must not display these types.
    'content-disposition': disposition?.startsWith('attachment') ? disposition : toAttachment(name),
    'content-security-policy': SANDBOX,
  }
}

function toCharset(essence: string): string {
  return essence.startsWith('text/') ? '; charset=utf-8' : ''
}
