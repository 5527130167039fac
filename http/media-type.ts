export const OCTET_STREAM = 'application/octet-stream'

// Extensions that equal the subtype. TYPES adds the others (IANA media types).
const SAME_NAMED: Record<string, string> = {
  application: 'json pdf zip',
  audio: 'aac flac wav',
  font: 'otf ttf woff woff2',
  image: 'avif bmp gif jpeg png tiff webp',
  text: 'css csv',
  video: 'mp4 webm',
}
const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SAME_NAMED).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, `${kind}/${name}`] as const),
  ),
  ['ico', 'image/vnd.microsoft.icon'],
  ['jpg', 'image/jpeg'],
  ['m4a', 'audio/mp4'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['ogv', 'video/ogg'],
  ['opus', 'audio/ogg'],
  ['svg', 'image/svg+xml'],
  ['tif', 'image/tiff'],
  ['txt', 'text/plain'],
  ['vtt', 'text/vtt'],
])

// Fast path: a lower-case type without parameters.
const PLAIN = /^[a-z]+\/[a-z\d.+-]+$/
const TOKEN = '[\\w!#$&^.+-]+'
// Parameters `; name=value`, with a token or a quoted string without escapes as value.
const PARAMETERS = '(?:[\\t ]*;[\\t ]*[\\w-]+=(?:[\\w.+-]+|"[ !#-[\\]-~]*"))*'
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(${PARAMETERS})[\\t ;]*$`)

/** Splits a media type from its parameters (RFC 9110 §8.3.1); both are empty when the value is invalid. */
export function parseMediaType(value: string): { essence: string; parameters: string } {
  if (PLAIN.test(value)) return { essence: value, parameters: '' }
  const match = MEDIA_TYPE.exec(value.trim())
  return { essence: match?.[1]?.toLowerCase() ?? '', parameters: match?.[2] ?? '' }
}

/** Returns the media type for the extension of a file name, `application/octet-stream` for an unknown one. */
export function guessMediaType(name: string): string {
  const [, extension = ''] = /\.([^.]+)$/.exec(name) ?? []
  return TYPES.get(extension.toLowerCase()) ?? OCTET_STREAM
}
