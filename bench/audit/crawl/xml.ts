import { type CheerioAPI, load } from 'cheerio'
import { XMLValidator } from 'fast-xml-parser'

export type Document = CheerioAPI

/** Returns the parsed document, or the parse error. */
export function parseXml(source: string): Document | string {
  const result = XMLValidator.validate(source)
  if (result !== true) return `is not XML: ${result.err.msg} in line ${result.err.line}`
  return load(source, { xml: true })
}

export const textsOf = ($: Document, selector: string): string[] =>
  $(selector)
    .toArray()
    .map((element) => $(element).text())

export const isAbsolute = (address: string | undefined): boolean =>
  /^https?:\/\//.test(address ?? '') && URL.canParse(address ?? '')
