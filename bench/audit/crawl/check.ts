import type { BenchCloud } from '../../lib/cloud.ts'
import { checkFeed } from './feed.ts'
import type { Html } from './html.ts'
import { checkJsonLd } from './json-ld.ts'
import { readSitemap } from './sitemap.ts'
import type { Site, Visit } from './walk.ts'

export type ProblemKind =
  | 'response'
  | 'page'
  | 'fragment'
  | 'json-ld'
  | 'hreflang'
  | 'feed'
  | 'sitemap'
export type CrawlProblem = { kind: ProblemKind; path: string; text: string }

/** Returns the problems of all responses of a crawl. */
export function checkSite(site: Site): CrawlProblem[] {
  return [...site.visits.values()].flatMap((visit) => {
    const toProblems = (kind: ProblemKind, texts: readonly string[]) =>
      texts.map((text) => ({ kind, path: visit.path, text }))
    const { html } = visit
    return [
      ...toProblems('response', checkResponse(visit)),
      ...toProblems('feed', isFeed(visit) ? checkFeed(contentTypeOf(visit), textOf(visit)) : []),
      ...(html
        ? [
            ...toProblems('page', checkPage(html, visit, site)),
            ...toProblems('fragment', checkFragments(html, visit, site)),
            ...toProblems('json-ld', checkJsonLd(html.jsonLd, html.type)),
            ...toProblems('hreflang', checkAlternates(html, site)),
          ]
        : []),
    ]
  })
}

/**
 * Reads `/sitemap.xml` and its parts, and requests the URLs in them that the crawl has not visited. Returns the
 * number of URLs, and the problems.
 */
export async function checkSitemaps(
  site: Site,
  cloud: BenchCloud,
): Promise<{ urls: number; problems: CrawlProblem[] }> {
  const readPart = async (address: string) => {
    const { pathname } = new URL(address, site.canonicalOrigin)
    const response = await cloud.get(site.host, pathname)
    const sitemap = readSitemap(response.body, site.canonicalOrigin)
    const problems = sitemap.problems.map((text) => ({
      kind: 'sitemap' as const,
      path: pathname,
      text,
    }))
    return { locations: sitemap.locations, problems }
  }
  const index = await readPart('/sitemap.xml')
  const parts = await Promise.all(index.locations.map(readPart))
  const urls = parts.flatMap(({ locations }) => locations)
  const unreachable: CrawlProblem[] = []
  for (const url of urls) {
    const { pathname } = new URL(url)
    const visited = site.visits.get(pathname)
    const { status } = visited?.response ?? (await cloud.get(site.host, pathname))
    if (status !== 200)
      unreachable.push({ kind: 'sitemap', path: pathname, text: `responds with ${status}` })
  }
  return {
    urls: urls.length,
    problems: [...index.problems, ...parts.flatMap(({ problems }) => problems), ...unreachable],
  }
}

function checkResponse({ response, from, html }: Visit): string[] {
  if (response.status !== 200) return [`responds with ${response.status}, linked from ${from}`]
  return response.body.byteLength > 0 || html ? [] : [`is empty, linked from ${from}`]
}

function checkPage(html: Html, { path }: Visit, site: Site): string[] {
  const [pathname = ''] = path.split('?')
  const canonical = `${site.canonicalOrigin}${pathname}`
  return [
    ...(html.headings === 1 ? [] : [`has ${html.headings} h1`]),
    ...(html.titles.length === 1 && html.titles[0]
      ? []
      : ['does not have exactly one title with text']),
    ...(html.language ? [] : ['has no language']),
    ...(html.canonicals.length === 1 && html.canonicals[0] === canonical
      ? []
      : [`has the canonical ${html.canonicals.join(', ')}`]),
  ]
}

function checkFragments(html: Html, { path }: Visit, site: Site): string[] {
  return html.links
    .filter((href) => href.includes('#'))
    .map((href) => new URL(href, `${site.canonicalOrigin}${path}`))
    .filter(({ hash, pathname, search }) => {
      const target = site.visits.get(pathname + search)?.html
      return target && hash !== '#top' && hash !== '' && !target.ids.has(hash.slice(1))
    })
    .map(({ hash, pathname }) => `links to ${pathname}${hash}, which does not exist`)
}

/** Checks that translations link to each other, and each to itself. */
function checkAlternates({ alternates, canonicals, language }: Html, site: Site): string[] {
  const [canonical = ''] = canonicals
  if (alternates.size === 0) return []
  const self = alternates.get(language) === canonical ? [] : ['does not link to itself']
  const others = [...alternates.values()].filter((address) => {
    const { pathname } = new URL(address)
    const other = site.visits.get(pathname)?.html
    return ![...(other?.alternates.values() ?? [])].includes(canonical)
  })
  return [...self, ...others.map((address) => `has no link from ${address}`)]
}

const contentTypeOf = ({ response }: Visit): string => response.headers.get('content-type') ?? ''
const textOf = ({ response }: Visit): string => response.body.toString()
const isFeed = (visit: Visit): boolean =>
  /^application\/(rss\+xml|atom\+xml|feed\+json)/.test(contentTypeOf(visit))
