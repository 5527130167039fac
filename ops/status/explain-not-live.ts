import { ARTICLE_CONTENT_TYPES } from '../../contract/article.ts'
import type { ArticleRead, StatusEvidence, StoredArticle } from './evidence.ts'

type Missing = Extract<ArticleRead, { type: 'missing' }>

/** Returns the reason why a path is not live; undefined if it is live. */
export function explainNotLive(evidence: StatusEvidence, now: number): string | undefined {
  const { settings, route, page, path } = evidence
  if (settings.type === 'failed') return settings.reason
  switch (route?.type) {
    case undefined:
    case 'not_found':
      return `no route of the site matches ${path}`
    case 'redirect':
      return `${path} redirects to ${route.location}`
    case 'article':
      return explainArticle(evidence, now) ?? explainPage(page)
    case 'page':
      return explainHidden(evidence, route) ?? explainPage(page)
    default:
      return explainPage(page)
  }
}

/** Returns a reason if an article has the path of this static page, which takes precedence over it. */
function explainHidden(
  { article, rows = [] }: StatusEvidence,
  { key, language }: { key: string; language: string },
): string | undefined {
  const isHidden =
    article?.visible.type === 'found' || rows.some((row) => row.language === language)
  return isHidden
    ? `the static page "${key}" has the same path and takes precedence over the article`
    : undefined
}

function explainArticle(evidence: StatusEvidence, now: number): string | undefined {
  const { visible, preview } = evidence.article ?? {}
  switch (visible?.type) {
    case undefined:
    case 'found':
      return undefined
    case 'failed':
      return `${visible.reason}; its log has the cause`
    case 'other-languages':
      return `its slug is published in ${visible.languages.join(', ')} only`
    case 'missing':
      return (
        explainUnpublished(preview, evidence, now) ??
        explainRedirect(visible) ??
        explainNotFound(evidence)
      )
    default:
      visible satisfies never
      return undefined
  }
}

/** The preview includes articles of every status and every `published_at`. */
function explainUnpublished(
  preview: ArticleRead | undefined,
  { rows }: StatusEvidence,
  now: number,
): string | undefined {
  if (preview?.type !== 'found') return undefined
  const { id, published_at } = preview.article
  const status = rows?.find((row) => row.id === id)?.status
  if (status !== undefined && status !== 'published') return `its status is "${status}"`
  if (published_at === null) return 'it has no published_at'
  if (Date.parse(published_at) > now) return `it is scheduled for ${published_at}`
  return 'its status is not "published"'
}

function explainRedirect({ redirect }: Missing): string | undefined {
  if (!redirect) return undefined
  if (redirect.to === null) return 'it was deleted: the path responds with 410'
  return `it has moved: the path redirects to ${redirect.to} (${redirect.status})`
}

function explainNotFound({ rows, path }: StatusEvidence): string {
  const [row] = rows ?? []
  if (row && !isServed(row)) {
    return `its content_type is "${row.content_type}", and only ${ARTICLE_CONTENT_TYPES.join(', ')} is served`
  }
  const types = rows === undefined ? ` of type ${ARTICLE_CONTENT_TYPES.join(', ')}` : ''
  return `no article${types} of this site has the path ${path}`
}

function isServed({ content_type }: StoredArticle): boolean {
  return ARTICLE_CONTENT_TYPES.some((type) => type === content_type)
}

function explainPage(page: StatusEvidence['page']): string | undefined {
  if (page.type === 'failed') return page.reason
  const { status, headers } = page.reply
  if (status === 200) return undefined
  const location = headers.get('location')
  if (location) return `the site worker redirects to ${location} (${status})`
  return `the site worker responds with ${status} (${headers.get('cache-status') ?? 'without a cache status'})`
}
