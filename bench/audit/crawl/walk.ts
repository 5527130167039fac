import type { BenchCloud, CloudResponse } from '../../lib/cloud.ts'
import { type Html, parseHtml } from './html.ts'

export type Visit = {
  /** Path and query. */
  path: string
  response: CloudResponse
  /** First page that links to it. */
  from: string
  html: Html | undefined
}

export type Site = {
  host: string
  /** Origin in the canonical links of the pages; requests are sent to the host instead. */
  canonicalOrigin: string
  visits: Map<string, Visit>
  /** Links to other sites, which are not requested. */
  externalLinks: Set<string>
  /** Number of links to further URLs after `maxUrls` is reached; these are not requested. */
  skippedPages: number
}

/** URLs with a query are searches, which are rate-limited, so only the first ones are requested. */
const MAX_SEARCHES = 8
const CONCURRENCY = 4

/**
 * Requests `/`, `/robots.txt`, `/sitemap.xml` and `/ads.txt`, and every URL of the site that pages link to, each
 * once, up to `maxUrls` URLs.
 */
export async function walk(cloud: BenchCloud, host: string, maxUrls: number): Promise<Site> {
  const home = parseHtml((await cloud.get(host, '/')).body.toString())
  const canonicalOrigin = new URL(home.canonicals[0] ?? cloud.origin(host)).origin
  const site: Site = {
    host,
    canonicalOrigin,
    visits: new Map(),
    externalLinks: new Set(),
    skippedPages: 0,
  }
  const seen = new Set<string>()
  const queue: { path: string; from: string }[] = []
  let searches = 0
  const enqueue = (href: string, from: string) => {
    const url = toSiteUrl(href, from, site, cloud)
    if (!url) return
    const path = url.pathname + url.search
    if (seen.has(path)) return
    if (url.search !== '') searches += 1
    if (url.search !== '' && searches > MAX_SEARCHES) return
    if (seen.size >= maxUrls) {
      site.skippedPages += 1
      return
    }
    seen.add(path)
    queue.push({ path, from })
  }
  const visit = async ({ path, from }: { path: string; from: string }) => {
    const response = await cloud.get(host, path)
    const isHtml = response.headers.get('content-type')?.startsWith('text/html')
    const html = isHtml ? parseHtml(response.body.toString()) : undefined
    site.visits.set(path, { path, response, from, html })
    for (const href of [...(html?.links ?? []), ...(html?.images ?? [])]) enqueue(href, path)
  }
  for (const start of ['/', '/robots.txt', '/sitemap.xml', '/ads.txt']) enqueue(start, start)
  while (queue.length > 0) await Promise.all(queue.splice(0, CONCURRENCY).map(visit))
  return site
}

function toSiteUrl(href: string, from: string, site: Site, cloud: BenchCloud): URL | undefined {
  const url = URL.parse(href, `${site.canonicalOrigin}${from}`)
  if (url?.origin === site.canonicalOrigin || url?.origin === cloud.origin(site.host)) return url
  site.externalLinks.add(href)
  return undefined
}
