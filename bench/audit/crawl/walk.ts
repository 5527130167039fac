import type { Cloud, CloudResponse } from '../../lib/cloud.ts'
import { type Html, parseHtml } from './html.ts'

export type Visit = {
  /** Path and query. */
  path: string
  answer: CloudResponse
  /** First page that links to it. */
  from: string
  html: Html | undefined
}

export type Site = {
  host: string
  /** Origin in the canonical links of its pages; requests go to the host instead. */
  canonicalOrigin: string
  visits: Map<string, Visit>
  /** Links left alone: those of other sites, and pages beyond the bound. */
  foreign: Set<string>
  beyond: number
}

// Searches are rate-limited, so only the first ones are requested.
const SEARCHES = 8
const AT_ONCE = 4

/** Requests `/` and, once each, all links, images and media that are reachable from it. */
export async function walk(cloud: Cloud, host: string, most: number): Promise<Site> {
  const home = parseHtml((await cloud.get(host, '/')).body.toString())
  const canonicalOrigin = new URL(home.canonicals[0] ?? cloud.origin(host)).origin
  const site: Site = { host, canonicalOrigin, visits: new Map(), foreign: new Set(), beyond: 0 }
  const seen = new Set<string>()
  const queue: { path: string; from: string }[] = []
  let searches = 0
  const enqueue = (href: string, from: string) => {
    const url = toOwnUrl(href, from, site, cloud)
    if (!url) return
    const path = url.pathname + url.search
    if (seen.has(path) || (url.search && ++searches > SEARCHES)) return
    if (seen.size >= most) {
      site.beyond += 1
      return
    }
    seen.add(path)
    queue.push({ path, from })
  }
  const visit = async ({ path, from }: { path: string; from: string }) => {
    const answer = await cloud.get(host, path)
    const isHtml = answer.headers.get('content-type')?.startsWith('text/html')
    const html = isHtml ? parseHtml(answer.body.toString()) : undefined
    site.visits.set(path, { path, answer, from, html })
    for (const href of [...(html?.links ?? []), ...(html?.images ?? [])]) enqueue(href, path)
  }
  for (const start of ['/', '/robots.txt', '/sitemap.xml', '/ads.txt']) enqueue(start, start)
  while (queue.length > 0) await Promise.all(queue.splice(0, AT_ONCE).map(visit))
  return site
}

function toOwnUrl(href: string, from: string, site: Site, cloud: Cloud): URL | undefined {
  const url = URL.parse(href, `${site.canonicalOrigin}${from}`)
  if (url?.origin === site.canonicalOrigin || url?.origin === cloud.origin(site.host)) return url
  site.foreign.add(href)
  return undefined
}
