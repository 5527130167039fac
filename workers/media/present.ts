/** How a browser is to take an object: its type, and what keeps it from doing harm. */
export type Presentation = { 'content-type': string; [header: string]: string }

const OCTETS = 'application/octet-stream'

const TYPES: Record<string, string> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  flac: 'audio/flac',
  gif: 'image/gif',
  ico: 'image/vnd.microsoft.icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ttf: 'font/ttf',
  txt: 'text/plain',
  vtt: 'text/vtt',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  zip: 'application/zip',
}

const GENERIC = /^$|^(application|binary)\/octet-stream$/
const INLINE = /^(image|audio|video|font)\/|^text\/(css|csv|plain|vtt)$|^application\/(json|pdf)$/
const ACTIVE = /^(text|multipart|message)\/|[/+]xml$|script|flash/
const SCRIPTABLE_IMAGE = 'image/svg+xml'
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/**
 * Presents an object by the type it was stored with, or by its name where that says nothing.
 * Pictures, sound, fonts, plain text and PDF open in the browser; all else is a download, and what
 * a browser could run there (HTML, XML, scripts) is typed as mere bytes. SVG opens in a sandbox.
 */
export function present(key: string, storedType: string | undefined): Presentation {
  const name = key.slice(key.lastIndexOf('/') + 1)
  const stored = parseType(storedType)
  const [essence, parameters] = GENERIC.test(stored[0]) ? [guessType(name), ''] : stored
  if (essence === SCRIPTABLE_IMAGE) {
    return { 'content-type': essence, 'content-security-policy': SANDBOX }
  }
  if (INLINE.test(essence)) return { 'content-type': essence + (parameters || toCharset(essence)) }
  return {
    'content-type': ACTIVE.test(essence) ? OCTETS : essence,
    'content-disposition': toAttachment(name),
    'content-security-policy': SANDBOX,
  }
}

// RFC 9110 §8.3.1; what is no media type counts as none.
function parseType(value = ''): [essence: string, parameters: string] {
  const match =
    /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)((?:[\t ]*;[\t ]*[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*)[\t ;]*$/.exec(
      value.trim(),
    )
  return [match?.[1]?.toLowerCase() ?? '', match?.[2] ?? '']
}

function guessType(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined) ?? OCTETS
}

function toCharset(essence: string): string {
  return essence.startsWith('text/') ? '; charset=utf-8' : ''
}

// RFC 6266 §4.3 and appendix D: a plain name for old readers, the true one by RFC 8187.
function toAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`
}
