import { isAbsolute, parseXml, textsOf } from './xml.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const MAX_URLS = 50_000
const MAX_BYTES = 50 * 1024 * 1024
/** Date and time of the W3C, the profile of ISO 8601 that sitemaps.org requires. */
const W3C_DATE = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?)?)?$/

/** Returns the URLs in a sitemap or a sitemap index, and violations of the protocol of sitemaps.org. */
export function readSitemap(
  body: Buffer,
  canonicalOrigin: string,
): { locations: string[]; problems: string[] } {
  const $ = parseXml(body.toString())
  if (typeof $ === 'string') return { locations: [], problems: [$] }
  const root = $.root().children().first()
  const name = root.prop('tagName')?.toLowerCase() ?? ''
  const locations = textsOf($, 'loc')
  const external = locations.filter(
    (location) => !isAbsolute(location) || new URL(location).origin !== canonicalOrigin,
  )
  const problems = [
    ...(['urlset', 'sitemapindex'].includes(name) ? [] : [`has the root ${name}`]),
    ...(root.attr('xmlns') === NAMESPACE ? [] : ['has another namespace']),
    ...(locations.length > 0 ? [] : ['is empty']),
    ...(locations.length <= MAX_URLS ? [] : [`contains ${locations.length} URLs`]),
    ...(body.byteLength <= MAX_BYTES ? [] : [`has ${body.byteLength} bytes`]),
    ...external.map((location) => `contains ${location}, which is not on the canonical host`),
    ...locations
      .filter((location, index) => locations.indexOf(location) !== index)
      .map((location) => `contains ${location} twice`),
    ...textsOf($, 'lastmod')
      .filter((instant) => !W3C_DATE.test(instant) || Date.parse(instant) > Date.now() + 60_000)
      .map((instant) => `has the lastmod ${instant}`),
  ]
  return { locations, problems }
}
