import { isAbsolute, parseXml, textsOf } from './xml.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const MOST_URLS = 50_000
const MOST_BYTES = 50 * 1024 * 1024
/** W3C date and time, the profile of ISO 8601 that sitemaps.org requires. */
const W3C_DATE = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?)?)?$/

/** Addresses in a sitemap or an index of them, and violations of sitemaps.org's protocol. */
export function readSitemap(
  body: Buffer,
  canonicalOrigin: string,
): { locations: string[]; problems: string[] } {
  const $ = parseXml(body.toString())
  if (typeof $ === 'string') return { locations: [], problems: [$] }
  const root = $.root().children().first()
  const name = root.prop('tagName')?.toLowerCase() ?? ''
  const locations = textsOf($, 'loc')
  const strangers = locations.filter(
    (location) => !isAbsolute(location) || new URL(location).origin !== canonicalOrigin,
  )
  const problems = [
    ...(['urlset', 'sitemapindex'].includes(name) ? [] : [`has the root ${name}`]),
    ...(root.attr('xmlns') === NAMESPACE ? [] : ['has another namespace']),
    ...(locations.length > 0 ? [] : ['is empty']),
    ...(locations.length <= MOST_URLS ? [] : [`names ${locations.length} addresses`]),
    ...(body.byteLength <= MOST_BYTES ? [] : [`has ${body.byteLength} bytes`]),
    ...strangers.map((location) => `names ${location}, which is not of the canonical host`),
    ...locations
      .filter((location, index) => locations.indexOf(location) !== index)
      .map((location) => `names ${location} twice`),
    ...textsOf($, 'lastmod')
      .filter((instant) => !W3C_DATE.test(instant) || Date.parse(instant) > Date.now() + 60_000)
      .map((instant) => `has the lastmod ${instant}`),
  ]
  return { locations, problems }
}
