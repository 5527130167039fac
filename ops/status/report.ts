import type { ArticlePage } from '../../contract/article.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import { toColumns } from '../lib/table.ts'
import type { StatusEvidence } from './facts.ts'
import { explain } from './verdict.ts'

const ORIGINS = {
  element: "the element's default",
  block: "the theme's block",
  override: "the site's override",
} as const

/** First line: `live`, or `not live because …`; then the facts behind it. */
export function toReport(facts: StatusEvidence, now: number): string {
  const reason = explain(facts, now)
  const rows = [
    ...toSite(facts),
    ...toRoute(facts),
    ...toArticle(facts),
    ...toTemplate(facts),
    ...toPage(facts),
    ['followed', toFollowed(facts)],
    ['revision', `${facts.revision ?? 'unknown'} is the newest of the database`],
    ['omissions', toText(facts.omissions ?? 'unknown')],
  ]
  return `${reason === undefined ? 'live' : `not live because ${reason}`}\n\n${toColumns(rows)}`
}

function toSite({ settings }: StatusEvidence): string[][] {
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

function toRoute({ route }: StatusEvidence): string[][] {
  if (!route) return []
  const { type, ...parts } = route
  const details = Object.entries(parts).map(([key, value]) => `${key} ${value}`)
  return [['route', [type, ...details].join(', ')]]
}

function toArticle({ article, rows }: StatusEvidence): string[][] {
  if (!article) return []
  const shown = [article.visible, article.preview].find((read) => read.type === 'found')
  const stored = (rows ?? []).map(({ id, status, content_type, language, published_at }) => [
    'row',
    `id ${id}, status ${status}, type ${content_type}, language ${language}, published_at ${published_at ?? 'null'}`,
  ])
  if (shown?.type !== 'found') {
    return [['article', stored.length > 0 ? 'not served' : 'none'], ...stored]
  }
  const seen = article.visible.type === 'found' ? 'served' : 'served in previews only'
  return [['article', `${seen}: ${toInstants(shown.article)}`], ...stored]
}

function toInstants({ id, language, published_at, updated_at, alternates }: ArticlePage): string {
  const others = alternates.filter((each) => each.language !== language).map(({ path }) => path)
  return [
    `id ${id}`,
    `language ${language}`,
    `published_at ${published_at ?? 'null'}`,
    `updated_at ${updated_at}`,
    ...(others.length > 0 ? [`translations ${others.join(', ')}`] : []),
  ].join(', ')
}

function toTemplate({ settings, route }: StatusEvidence): string[][] {
  if (settings.type === 'failed' || !route) return []
  const key = route.type === 'page' ? route.key : route.type
  const language = 'language' in route ? route.language : undefined
  const matching = settings.bundle.site_settings.templates.filter(
    (template) => template.key === key && (template.language ?? language) === language,
  )
  const template = matching.find((each) => each.language !== null) ?? matching[0]
  return template ? [['template', toOrigin(template)]] : []
}

function toOrigin({ key, origin, language, fallbacks }: ResolvedTemplate): string {
  const weaker = fallbacks.map((fallback) => ORIGINS[fallback.origin]).join(', then ')
  const where = language === null ? 'every language' : language
  return `${key} from ${ORIGINS[origin]} for ${where}${weaker ? `; falls back to ${weaker}` : ''}`
}

function toPage({ page }: StatusEvidence): string[][] {
  if (page.type === 'failed') return [['page', page.reason]]
  const { status, headers } = page.reply
  const location = headers.get('location')
  return [
    [
      'page',
      `${status}${location ? ` to ${location}` : ''}, last modified ${headers.get('last-modified') ?? 'unknown'}`,
    ],
    ['entry', headers.get('cache-status') ?? 'not cached'],
  ]
}

function toFollowed({ health }: StatusEvidence): string {
  const { followed_at: at, failure, failing, status } = health
  if (status === undefined) return 'unknown: the deep health check does not answer'
  const parts = [
    at === undefined ? `health ${toText(status)}` : `last success ${toText(at)}`,
    ...(failure ? [`failure: ${toText(failure)}`] : []),
    ...(failing ? [`failing: ${toText(failing)}`] : []),
  ]
  return parts.join(', ')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
