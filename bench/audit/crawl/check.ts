import type { Cloud } from '../../lib/cloud.ts'
import { checkFeed } from './feed.ts'
import type { Html } from './html.ts'
import { checkJsonLd } from './json-ld.ts'
import { readSitemap } from './sitemap.ts'
import type { Site, Visit } from './walk.ts'

export type Kind = 'answer' | 'page' | 'fragment' | 'json-ld' | 'hreflang' | 'feed' | 'sitemap'
export type Problem = { kind: Kind; path: string; text: string }

/** Returns the violations in all responses of a walk. */
export function checkSite(site: Site): Problem[] {
  return [...site.visits.values()].flatMap((visit) => {
    const toViolations = (kind: Kind, texts: readonly string[]) =>
      texts.map((text) => ({ kind, path: visit.path, text }))
    const { html } = visit
    return [
      ...toViolations('answer', checkAnswer(visit)),
      ...toViolations('feed', isFeed(visit) ? checkFeed(contentTypeOf(visit), textOf(visit)) : []),
      ...(html
        ? [
            ...toViolations('page', checkPage(html, visit, site)),
            ...toViolations('fragment', checkFragments(html, visit, site)),
            ...toViolations('json-ld', checkJsonLd(html.jsonLd, html.type)),
            ...toViolations('hreflang', checkAlternates(html, site)),
          ]
        : []),
    ]
  })
}

/** Reads `/sitemap.xml` and its parts, and requests all addresses in them. */
export async function checkSitemaps(
  site: Site,
  cloud: Cloud,
): Promise<{ urls: number; problems: Problem[] }> {
  const request = async (address: string) => {
    const { pathname } = new URL(address, site.canonicalOrigin)
    const answer = await cloud.get(site.host, pathname)
    const read = readSitemap(answer.body, site.canonicalOrigin)
    const { locations } = read
    const problems = read.problems.map((text) => ({
      kind: 'sitemap' as const,
      path: pathname,
      text,
    }))
    return { locations, problems }
  }
  const index = await request('/sitemap.xml')
  const parts = await Promise.all(index.locations.map(request))
  const urls = parts.flatMap(({ locations }) => locations)
  const unreachable: Problem[] = []
  for (const url of urls) {
    const { pathname } = new URL(url)
    const visited = site.visits.get(pathname)
    const { status } = visited?.answer ?? (await cloud.get(site.host, pathname))
    if (status !== 200)
      unreachable.push({ kind: 'sitemap', path: pathname, text: `answers ${status}` })
  }
  return {
    urls: urls.length,
    problems: [...index.problems, ...parts.flatMap(({ problems }) => problems), ...unreachable],
  }
}

function checkAnswer({ answer, from, html }: Visit): string[] {
  if (answer.status !== 200) return [`answers ${answer.status}, linked from ${from}`]
  return answer.body.byteLength > 0 || html ? [] : [`is empty, linked from ${from}`]
}

function checkPage(html: Html, { path }: Visit, site: Site): string[] {
  const [pathname = ''] = path.split('?')
  const canonical = `${site.canonicalOrigin}${pathname}`
  return [
    ...(html.headings === 1 ? [] : [`has ${html.headings} h1`]),
    ...(html.titles.length === 1 && html.titles[0] ? [] : ['has no title']),
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
    .map(({ hash, pathname }) => `links to ${pathname}${hash}, which is not there`)
}

/** Translations name each other, and each names itself. */
function checkAlternates({ alternates, canonicals, language }: Html, site: Site): string[] {
  const [own = ''] = canonicals
  if (alternates.size === 0) return []
  const itself = alternates.get(language) === own ? [] : ['does not name itself']
  const others = [...alternates.values()].filter((address) => {
    const { pathname } = new URL(address)
    const other = site.visits.get(pathname)?.html
    return ![...(other?.alternates.values() ?? [])].includes(own)
  })
  return [...itself, ...others.map((address) => `is not named by ${address}`)]
}

const contentTypeOf = ({ answer }: Visit): string => answer.headers.get('content-type') ?? ''
const textOf = ({ answer }: Visit): string => answer.body.toString()
const isFeed = (visit: Visit): boolean =>
  /^application\/(rss\+xml|atom\+xml|feed\+json)/.test(contentTypeOf(visit))
