const PLAIN = /^[a-z]+\/[a-z\d.+-]+$/
const TOKEN = '[\\w!#$&^.+-]+'
const PARAMETERS = '(?:[\\t ]*;[\\t ]*[\\w-]+=(?:[\\w.+-]+|"[ !#-[\\]-~]*"))*'
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(${PARAMETERS})[\\t ;]*$`)

/** Type and parameters of a media type (RFC 9110 §8.3.1); both are empty for what is none. */
export function parseMediaType(value: string): { essence: string; parameters: string } {
  if (PLAIN.test(value)) return { essence: value, parameters: '' }
  const match = MEDIA_TYPE.exec(value.trim())
  return { essence: match?.[1]?.toLowerCase() ?? '', parameters: match?.[2] ?? '' }
}
