import { type CheerioAPI, load } from 'cheerio'
import { XMLValidator } from 'fast-xml-parser'

export type Document = CheerioAPI

/** Returns the parsed document, or the parse error. */
export function parseXml(source: string): Document | string {
  const verdict = XMLValidator.validate(source)
  if (verdict !== true) return `is no XML: ${verdict.err.msg} in line ${verdict.err.line}`
  return load(source, { xml: true })
}

export const textsOf = ($: Document, selector: string): string[] =>
  $(selector)
    .toArray()
    .map((element) => $(element).text())

export const isAbsolute = (address: string | undefined): boolean =>
  /^https?:\/\//.test(address ?? '') && URL.canParse(address ?? '')
