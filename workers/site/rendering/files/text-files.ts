import type { File, RenderContext } from '../render-context.ts'
import { SITEMAP_PATH } from '../route-path.ts'
import { toUrl } from '../url.ts'

const TEXT = 'text/plain; charset=utf-8'
const ALLOW_ALL = 'User-agent: *\nAllow: /'
const DISALLOW_ALL = 'User-agent: *\nDisallow: /\n'

/** The site's rules and the URL of its sitemap; on a host that is not the site's domain, everything is disallowed. */
export function renderRobots({ settings, indexable, canonicalOrigin }: RenderContext): File {
  const rules = toLines(settings.site_settings.robots_txt ?? ALLOW_ALL)
  const sitemap = `Sitemap: ${toUrl(SITEMAP_PATH, canonicalOrigin)}`
  const body = /^sitemap:/im.test(rules) ? `${rules}\n` : `${rules}\n\n${sitemap}\n`
  return { contentType: TEXT, body: indexable ? body : DISALLOW_ALL }
}

/** Undefined when the site has no `ads_txt`. */
export function renderAds({ settings }: RenderContext): File | undefined {
  const { ads_txt } = settings.site_settings
  return ads_txt === null ? undefined : { contentType: TEXT, body: `${toLines(ads_txt)}\n` }
}

const toLines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()
