import { escapeMarkup } from '../templates/safe-html.ts'

// XML 1.0 §2.2: characters that no document may contain, escaped or not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

type Attributes = Record<string, string | number>

/** Returns an element with escaped text. */
export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  element(name, toXmlText(text), attributes)

/** Returns an element with XML content; an empty element when there is none. */
export function element(name: string, content = '', attributes: Attributes = {}): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${toXmlText(`${value}`)}"`,
  )
  const open = `${name}${pairs.join('')}`
  return content ? `<${open}>${content}</${name}>` : `<${open}/>`
}

/** Returns a document with the XML declaration. */
export const toXmlDocument = (root: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`

const toXmlText = (text: string): string => escapeMarkup(text.toWellFormed().replace(FORBIDDEN, ''))
