import type { ArticlePage } from '../../contract/article.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import { toColumns } from '../lib/table.ts'
import type { StatusEvidence } from './evidence.ts'
import { explainNotLive } from './explain-not-live.ts'

/** Names for the source of a template, by its `origin` in the read API. */
const ORIGINS = {
  element: 'the default',
  block: "the theme's version",
  override: "the site's version",
} as const

/** Formats a report. The first line is `live` or `not live because …`, followed by the evidence. */
export function toReport(evidence: StatusEvidence, now: number): string {
  const reason = explainNotLive(evidence, now)
  const rows = [
    ...toSiteRows(evidence),
    ...toRouteRows(evidence),
    ...toArticleRows(evidence),
    ...toTemplateRows(evidence),
    ...toPageRows(evidence),
    ['change log', describeChangeLog(evidence)],
    ['revision', `${evidence.revision ?? 'unknown'} is the newest in the database`],
    ['omissions', toText(evidence.omissions ?? 'unknown')],
  ]
  return `${reason === undefined ? 'live' : `not live because ${reason}`}\n\n${toColumns(rows)}`
}

function toSiteRows({ settings }: StatusEvidence): string[][] {
  if (settings.type === 'failed') return [['site', settings.reason]]
  const { site, site_settings } = settings.bundle
  const languages = site_settings.languages.map(({ code }) => code).join(', ')
  const { id, acronym, domain, name, default_language: language } = site
  return [
    [
      'site',
      `${name} (id ${id}, ${acronym}, ${domain}), languages ${languages}, default ${language}`,
    ],
  ]
}

function toRouteRows({ route }: StatusEvidence): string[][] {
  if (!route) return []
  const { type, ...parts } = route
  const details = Object.entries(parts).map(([key, value]) => `${key} ${value}`)
  return [['route', [type, ...details].join(', ')]]
}

function toArticleRows({ article, rows }: StatusEvidence): string[][] {
  if (!article) return []
  const found = [article.visible, article.preview].find((read) => read.type === 'found')
  const stored = (rows ?? []).map(({ id, status, content_type, language, published_at }) => [
    'row',
    `id ${id}, status ${status}, type ${content_type}, language ${language}, published_at ${published_at ?? 'null'}`,
  ])
  if (found?.type !== 'found') {
    return [['article', stored.length > 0 ? 'not served' : 'none'], ...stored]
  }
  const visibility = article.visible.type === 'found' ? 'served' : 'served in previews only'
  return [['article', `${visibility}: ${describeArticle(found.article)}`], ...stored]
}

function describeArticle({
  id,
  language,
  published_at,
  updated_at,
  alternates,
}: ArticlePage): string {
  const others = alternates.filter((each) => each.language !== language).map(({ path }) => path)
  return [
    `id ${id}`,
    `language ${language}`,
    `published_at ${published_at ?? 'null'}`,
    `updated_at ${updated_at}`,
    ...(others.length > 0 ? [`translations ${others.join(', ')}`] : []),
  ].join(', ')
}

function toTemplateRows({ settings, route }: StatusEvidence): string[][] {
  if (settings.type === 'failed' || !route) return []
  const key = route.type === 'page' ? route.key : route.type
  const language = 'language' in route ? route.language : undefined
  const matching = settings.bundle.site_settings.templates.filter(
    (template) => template.key === key && (template.language ?? language) === language,
  )
  const template = matching.find((each) => each.language !== null) ?? matching[0]
  return template ? [['template', describeTemplate(template)]] : []
}

function describeTemplate({ key, origin, language, fallbacks }: ResolvedTemplate): string {
  const fallbackNames = fallbacks.map((fallback) => ORIGINS[fallback.origin]).join(', then ')
  const languages = language === null ? 'all languages' : language
  return `${key}: ${ORIGINS[origin]} for ${languages}${fallbackNames ? `, else ${fallbackNames}` : ''}`
}

function toPageRows({ page }: StatusEvidence): string[][] {
  if (page.type === 'failed') return [['page', page.reason]]
  const { status, headers } = page.reply
  const location = headers.get('location')
  return [
    [
      'page',
      `${status}${location ? ` to ${location}` : ''}, last modified ${headers.get('last-modified') ?? 'unknown'}`,
    ],
    ['cache', headers.get('cache-status') ?? 'not cached'],
  ]
}

function describeChangeLog({ health }: StatusEvidence): string {
  const { followed_at: at, failure, failing, status } = health
  if (status === undefined) return 'unknown: the deep health check does not respond'
  const parts = [
    at === undefined ? `health ${toText(status)}` : `last read ${toText(at)}`,
    ...(failure ? [`failure: ${toText(failure)}`] : []),
    ...(failing ? [`failing: ${toText(failing)}`] : []),
  ]
  return parts.join(', ')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
