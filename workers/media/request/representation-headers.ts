import { parseDisposition, toAttachment } from '../../../http/content-disposition.ts'
import { guessMediaType, OCTET_STREAM, parseMediaType } from '../../../http/media-type.ts'
import type { ObjectHead } from '../object.ts'

// The objects are public and no answer depends on cookies, so every origin may read them.
export const CORS_HEADERS = { 'access-control-allow-origin': '*' }
export const PUBLIC_HEADERS = {
  ...CORS_HEADERS,
  'access-control-expose-headers':
    'Accept-Ranges, Age, Cache-Status, Content-Length, Content-Range, ETag, Server-Timing',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  'x-content-type-options': 'nosniff',
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
 * Headers that describe an object: by the type it was stored with, or by its name where that is
 * generic. Pictures, sound, fonts, plain text and PDF open in the browser; all else is a download,
 * and what a browser could execute (HTML, XML, scripts) gets the type of mere bytes. SVG opens in a
 * sandbox.
 */
export function representationHeaders(
  head: Pick<ObjectHead, 'key' | 'contentType' | 'contentDisposition' | 'contentLanguage'>,
): Record<string, string> {
  const name = head.key.slice(head.key.lastIndexOf('/') + 1)
  const stored = parseMediaType(head.contentType)
  const isGeneric = GENERIC.test(stored.essence)
  const { essence, parameters } = isGeneric
    ? { essence: guessMediaType(name), parameters: '' }
    : stored
  const disposition = parseDisposition(head.contentDisposition)
  const common = {
    ...(disposition && { 'content-disposition': disposition }),
    ...(LANGUAGES.test(head.contentLanguage) && { 'content-language': head.contentLanguage }),
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
    // Whatever was stored, it may not open in the browser.
    'content-disposition': disposition?.startsWith('attachment') ? disposition : toAttachment(name),
    'content-security-policy': SANDBOX,
  }
}

function toCharset(essence: string): string {
  return essence.startsWith('text/') ? '; charset=utf-8' : ''
}
