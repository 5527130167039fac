import type { SettingsBundle } from '../../contract/settings.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import { NEWSROOMS, type Newsroom, readNewsroom } from '../../demo/newsroom.ts'
import type { TemplateFile } from '../../themes/template-files.ts'
import type { ContentApi } from '../../workers/site/rendering/content-api.ts'
import type { RenderContext } from '../../workers/site/rendering/render-context.ts'
import { renderNotFound, renderRoute } from '../../workers/site/rendering/render-route.ts'
import type { LanguageRoute } from '../../workers/site/rendering/route.ts'
import { parseTemplate } from '../../workers/site/rendering/templates/liquid.ts'
import {
  describeFailure,
  type TemplateFailure,
} from '../../workers/site/rendering/templates/template-renderer.ts'
import { type SampleSite, toSampleSite } from './sample-site.ts'

/**
 * Articles that are rendered per language; enough to include ones with
 * and without picture, author and translation.
 */
const MAX_ARTICLES = 8
/** Articles in a list whose template sets no limit. */
const DEFAULT_LIMIT = 20

export interface TemplateFault {
  path: string
  /** Line in the file, from 1; 0 if it is unknown. */
  line: number
  message: string
}

/**
 * Parses every template. If none has a fault, renders every page type in every language with the demo's
 * content and the production code: once with the default templates alone, once for each theme and once for
 * each site. Returns the faults, at most one for each line.
 */
export async function checkTemplates(files: readonly TemplateFile[]): Promise<TemplateFault[]> {
  const syntaxFaults = files.flatMap(parse)
  if (syntaxFaults.length > 0) return syntaxFaults
  const newsrooms = await Promise.all(NEWSROOMS.map(readNewsroom))
  const faults = []
  for (const homes of toVariants(files, newsrooms))
    faults.push(...(await checkVariant(files, homes, newsrooms)))
  return [...new Map(faults.map((one) => [`${one.path}:${one.line}`, one])).values()]
}

function parse(file: TemplateFile): TemplateFault[] {
  try {
    parseTemplate(file.source)
    return []
  } catch (error) {
    return [toFault(file, describeFailure(error))]
  }
}

/** Folders of the templates that a site uses, highest precedence first. */
type Variant = readonly string[]

function toVariants(files: readonly TemplateFile[], newsrooms: readonly Newsroom[]): Variant[] {
  const homes = [...new Set(files.map(({ home }) => home))]
  const themes = homes.filter((home) => home !== 'default' && !home.startsWith('sites/'))
  const sites = homes.filter((home) => home.startsWith('sites/'))
  const themeOf = (site: string) =>
    newsrooms.find((each) => `sites/${each.site.acronym}` === site)?.settings.active_template
  return [
    ['default'],
    ...themes.map((theme) => [theme, 'default']),
    ...sites.map((site) => [site, themeOf(site) ?? 'default', 'default']),
  ]
}

async function checkVariant(
  files: readonly TemplateFile[],
  homes: Variant,
  newsrooms: readonly Newsroom[],
): Promise<TemplateFault[]> {
  const used = homes.flatMap((home) => files.filter((file) => file.home === home))
  const newsroom = newsrooms.find(({ settings }) => homes.includes(settings.active_template ?? ''))
  // A theme that no newsroom uses is rendered with the first one.
  const [first] = newsrooms
  if (!first) throw new Error('The demo has no newsroom.')
  const sample = toSampleSite(newsroom ?? first, resolve(used))
  const faults: TemplateFault[] = []
  const context = toContext(sample, (failure) => {
    const file = used.find(({ key, source }) => key === failure.key && source === failure.source)
    if (file && !isFromPartial(failure, used)) faults.push(toFault(file, failure))
  })
  const failed = new Set<string>()
  for (const route of toRoutes(sample)) {
    // One fault per page type is enough, because each failing page may use its whole render budget.
    if (failed.has(route.type)) continue
    const count = faults.length
    // A failure is already reported as a fault.
    await renderRoute(route, context).catch(() => undefined)
    if (faults.length > count) failed.add(route.type)
  }
  for (const { code: language } of sample.settings.site_settings.languages)
    for (const status of [404, 410] as const)
      await renderNotFound({ language, status }, context).catch(() => undefined)
  return faults
}

/**
 * Selects the source with the highest precedence for each template. It
 * has no fallbacks, which would hide its faults.
 */
function resolve(files: readonly TemplateFile[]): ResolvedTemplate[] {
  const byName = new Map<string, ResolvedTemplate>()
  for (const { key, type, title, language, source } of files) {
    const name = `${key} ${language}`
    if (byName.has(name)) continue
    byName.set(name, { key, type, title, language, source, origin: 'element', fallbacks: [] })
  }
  return [...byName.values()]
}

function toContext(
  sample: SampleSite,
  onTemplateFailure: (failure: TemplateFailure) => void,
): RenderContext {
  const { settings } = sample
  return {
    settings,
    canonicalOrigin: `https://${settings.site.domain}`,
    indexable: true,
    api: toApi(sample),
    css: { slug: settings.site_settings.css_slug, version: settings.site_settings.css_version },
    now: new Date(sample.items[0]?.published_at ?? 0),
    query: { q: 'sea' },
    warn: () => {},
    onTemplateFailure,
  }
}

function toApi({ articles, authors, items }: SampleSite): ContentApi {
  const toResult = <T>(value: T | undefined) =>
    value === undefined ? ({ type: 'not-found' } as const) : ({ type: 'ok', value } as const)
  return {
    article: async (slug) => toResult(articles.find((article) => article.slug === slug)),
    author: async (slug) => toResult(authors.find(({ author }) => author.slug === slug)),
    list: async ({ language, limit = DEFAULT_LIMIT }) => ({
      type: 'ok',
      value: {
        items: items.filter((item) => item.language === language).slice(0, limit),
        next_cursor: 'next',
      },
    }),
    sitemap: async () => ({
      type: 'ok',
      value: { urls: items.slice(0, 1), static_pages: [], next_cursor: null },
    }),
  }
}

function toRoutes(sample: SampleSite): LanguageRoute[] {
  const { site_settings } = sample.settings
  return site_settings.languages.flatMap(({ code }) => toRoutesIn(code, sample, site_settings))
}

function toRoutesIn(
  language: string,
  { articles, authors, items }: SampleSite,
  { categories, templates }: SettingsBundle['site_settings'],
): LanguageRoute[] {
  const month = items[0]?.published_at.slice(0, 7) ?? ''
  const category = categories.find((each) => each.language === language)?.slug
  const pages = templates.filter((each) => (each.language ?? language) === language)
  return [
    { type: 'home', language },
    { type: 'archive', language },
    { type: 'search', language },
    { type: 'month', language, month },
    ...(category ? [{ type: 'category', language, slug: category } as const] : []),
    ...authors
      .slice(0, 1)
      .map(({ author }) => ({ type: 'author', language, slug: author.slug }) as const),
    ...articles
      .filter((article) => article.language === language)
      .slice(0, MAX_ARTICLES)
      .map(({ slug }) => ({ type: 'article', language, slug }) as const),
    ...pages
      .filter(({ type }) => type === 'page')
      .map(({ key }) => ({ type: 'page', language, key }) as const),
  ]
}

// A template that renders a failing partial fails too; only the fault of the partial is reported.
function isFromPartial({ message }: TemplateFailure, files: readonly TemplateFile[]): boolean {
  const partial = /No source of the template "([^"]+)"/.exec(message)?.[1]
  return files.some(({ key }) => key === partial)
}

function toFault(
  { path, skippedLines }: TemplateFile,
  { line, message }: Pick<TemplateFailure, 'line' | 'message'>,
): TemplateFault {
  // liquidjs appends the position in the source, which lacks the skipped lines.
  const text = message.replace(/, line:\d+, col:\d+$/, '')
  return { path, line: line === undefined ? 0 : line + skippedLines, message: text }
}
