import { load } from 'cheerio'

/** The parts of a page that the checks read. */
export type Html = {
  source: string
  /** Number of `h1`. */
  headings: number
  titles: string[]
  canonicals: string[]
  language: string
  /** Type of the page, from the body's class `page-<type>`. */
  type: string
  /** URLs by hreflang. */
  alternates: Map<string, string>
  jsonLd: string[]
  ids: Set<string>
  links: string[]
  /** URLs of pictures, audio and video, including those in `srcset` and `og:image`. */
  images: string[]
}

export function parseHtml(source: string): Html {
  const $ = load(source)
  const attributes = (selector: string, name: string) =>
    $(selector)
      .toArray()
      .map((element) => $(element).attr(name) ?? '')
  const texts = (selector: string) =>
    $(selector)
      .toArray()
      .map((element) => $(element).text())
  const alternates = $('link[rel=alternate][hreflang]').toArray()
  return {
    source,
    headings: $('h1').length,
    titles: texts('title'),
    canonicals: attributes('link[rel=canonical]', 'href'),
    language: $('html').attr('lang') ?? '',
    type: /page-(\w+)/.exec($('body').attr('class') ?? '')?.[1] ?? '',
    alternates: new Map(
      alternates.map((each) => [$(each).attr('hreflang') ?? '', $(each).attr('href') ?? '']),
    ),
    jsonLd: texts('script[type="application/ld+json"]'),
    ids: new Set(attributes('[id]', 'id')),
    links: attributes('a[href], link[href]', 'href'),
    images: [
      ...attributes('img[src], source[src], audio[src], video[src]', 'src'),
      ...attributes('[srcset]', 'srcset').flatMap(parseSrcset),
      ...attributes('meta[property="og:image"]', 'content'),
    ],
  }
}

const parseSrcset = (srcset: string): string[] =>
  srcset.split(',').map((candidate) => candidate.trim().split(/\s+/)[0] ?? '')
