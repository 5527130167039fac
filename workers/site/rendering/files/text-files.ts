import type { RenderContext, RenderedFile } from '../render-context.ts'
import { SITEMAP_PATH } from '../route-path.ts'
import { toUrl } from '../url.ts'

const TEXT = 'text/plain; charset=utf-8'
const ALLOW_ALL = 'User-agent: *\nAllow: /'
const DISALLOW_ALL = 'User-agent: *\nDisallow: /\n'

/** Renders robots.txt. On a host that is not the site's domain, it disallows everything. */
export function renderRobots({
  settings,
  indexable,
  canonicalOrigin,
}: RenderContext): RenderedFile {
  const rules = normaliseLines(settings.site_settings.robots_txt ?? ALLOW_ALL)
  const sitemap = `Sitemap: ${toUrl(SITEMAP_PATH, canonicalOrigin)}`
  const body = /^sitemap:/im.test(rules) ? `${rules}\n` : `${rules}\n\n${sitemap}\n`
  return { contentType: TEXT, body: indexable ? body : DISALLOW_ALL }
}

/** Renders ads.txt; returns undefined when the settings have none. */
export function renderAds({ settings }: RenderContext): RenderedFile | undefined {
  const { ads_txt } = settings.site_settings
  return ads_txt === null ? undefined : { contentType: TEXT, body: `${normaliseLines(ads_txt)}\n` }
}

const normaliseLines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()
