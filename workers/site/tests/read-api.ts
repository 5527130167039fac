import { createHash } from 'node:crypto'
import type { ArticlePage } from '../../../contract/article.ts'
import type { ArticleChange } from '../../../contract/changes.ts'
import { toLinkHeader } from '../../../contract/link.ts'
import type { ListItem } from '../../../contract/list.ts'
import type { Redirect } from '../../../contract/redirect.ts'
import type { SettingsBundle } from '../../../contract/settings.ts'
import { articleBut, authorBut, itemBut, settingsBut } from './content.ts'

/** Behaviour of the API. `hanging`: no response until the caller aborts. */
type Mode = 'ok' | 'connection-refused' | 'status-500' | 'status-429' | 'hanging'

export interface ReadApi {
  mode: Mode
  settings: SettingsBundle
  /** Whether a path responds with status 500, in every mode. */
  isFailing: (path: string) => boolean
  /** Awaited before each response. */
  delay: () => Promise<void>
  /** Value of the header `CMS-Next-Change`. */
  nextChange: string | undefined
  /** Slugs without an article, whose 404 contains a redirect. */
  readonly movedPages: MovedPage[]
  /** The restore id: another one means that the database was restored. */
  restoreId: string
  /** The change log reports no changes, so that pages stay fresh until they expire. */
  hasEmptyChangeLog: boolean
  /** Newest revision. */
  readonly revision: string
  readonly articles: ReadonlyMap<string, ArticlePage>
  /** Requested paths, in order, without those of the change log. */
  readonly calls: string[]
  readonly changeCalls: string[]
  /** Creates or replaces an article and adds the change to the change log. */
  publish(
    changes: Partial<ArticlePage>,
    affects?: Pick<ArticleChange, 'related' | 'alternates'>,
  ): void
  unpublish(slug: string): void
  updateSettings(changes: Partial<SettingsBundle['site_settings']>): void
  refreshScores(): void
  fetch(url: string, init?: RequestInit): Promise<Response>
}

export type MovedPage = { slug: string; redirect: Redirect }
type Change = { type: 'settings' | 'scores' } | { type: 'article'; article: ArticleChange }
type Reply = { status?: number; body?: unknown; link?: string; hasNoEtag?: boolean }

const CHANGES_LIMIT = 1000
const PREFIX = /^https?:\/\/[^/]+\/public\/v2/

/** Creates a read API in memory with one article. Its responses match the contract. */
export function createReadApi(): ReadApi {
  const articles = new Map<string, ArticlePage>()
  const changeLog: Change[] = []

  const api: ReadApi = {
    mode: 'ok',
    settings: settingsBut(),
    isFailing: () => false,
    delay: async () => {},
    nextChange: undefined,
    movedPages: [],
    restoreId: 'one',
    hasEmptyChangeLog: false,
    get revision() {
      return `${changeLog.length}.0`
    },
    articles,
    calls: [],
    changeCalls: [],
    publish(changes, affects = { related: [], alternates: [] }) {
      const article = articleBut(changes)
      const before = toState(articles.get(article.slug))
      articles.set(article.slug, article)
      const after = toState(article)
      changeLog.push({ type: 'article', article: { id: article.id, before, after, ...affects } })
    },
    unpublish(slug) {
      const article = articles.get(slug)
      articles.delete(slug)
      if (!article) return
      const change = { before: toState(article), after: null, related: [], alternates: [] }
      changeLog.push({ type: 'article', article: { id: article.id, ...change } })
    },
    updateSettings(changes) {
      api.settings = settingsBut({ ...api.settings.site_settings, ...changes }, api.settings.site)
      changeLog.push({ type: 'settings' })
    },
    refreshScores: () => changeLog.push({ type: 'scores' }),
    async fetch(url, init = {}) {
      const path = url.replace(PREFIX, '')
      const isChanges = /^\/sites\/[^/]+\/changes/.test(path)
      ;(isChanges ? api.changeCalls : api.calls).push(path)
      await api.delay()
      if (api.isFailing(path)) return new Response(null, { status: 500 })
      const headers = new Headers(init.headers)
      switch (api.mode) {
        case 'ok':
          return toResponse(toReply(new URL(path, 'https://api.test'), headers), headers)
        case 'connection-refused':
          throw new TypeError('connection refused')
        case 'status-500':
          return new Response(null, { status: 500 })
        case 'status-429':
          return new Response(null, { status: 429 })
        case 'hanging':
          return new Promise((_, reject) =>
            init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
          )
        default:
          return api.mode satisfies never
      }
    },
  }
  // The article at `/lighthouse`.
  api.publish({})
  return api

  function toReply({ pathname, searchParams }: URL, headers: Headers): Reply {
    if (!headers.get('authorization')?.startsWith('Bearer ')) return { status: 401 }
    const [collection, site, resource, slug = ''] = pathname
      .split('/')
      .slice(1)
      .map(decodeURIComponent)
    if (collection === 'ping')
      return { body: { status: 'ok', time: new Date().toISOString() }, hasNoEtag: true }
    if (collection !== 'sites' || site !== api.settings.site.acronym) return { status: 404 }
    switch (resource) {
      case 'settings':
        return { body: api.settings }
      case 'pages':
        return toPageReply(slug, searchParams)
      case 'authors':
        return slug === 'ada' ? { body: authorBut() } : { status: 404 }
      case 'lists':
        return { body: { items: toItems(searchParams), next_cursor: null } }
      case 'sitemap':
        return { body: toSitemap() }
      case 'changes':
        return { body: toChanges(searchParams), hasNoEtag: true }
      default:
        return { status: 404 }
    }
  }

  function toPageReply(slug: string, parameters: URLSearchParams): Reply {
    const article = articles.get(slug)
    const redirect = api.movedPages.find((page) => page.slug === slug)?.redirect
    if (!article) return { status: 404, body: { redirect } }
    const language = parameters.get('language') ?? article.language
    const version = parameters.get('version')
    if (language === article.language)
      return { body: version ? { ...article, version: Number(version) } : article }
    return { status: 204, link: toLinkHeader([article]) }
  }

  function toItems(parameters: URLSearchParams): ListItem[] {
    const q = parameters.get('q')?.toLowerCase()
    return [...articles.values()]
      .filter(({ title }) => !q || title.toLowerCase().includes(q))
      .map(({ id, slug, title, path, language }) => itemBut({ id, slug, title, path, language }))
  }

  function toSitemap() {
    const urls = [...articles.values()].map(({ id, path, language, updated_at, created_at }) => ({
      id,
      path,
      language,
      published_at: created_at,
      updated_at,
    }))
    return { urls, static_pages: [{ path: '/', title: 'Home' }], next_cursor: null }
  }

  function toChanges(parameters: URLSearchParams) {
    const after = parameters.get('after')
    const requested = after === null ? changeLog.length : Number(after.split('.')[0])
    const isOtherDatabase = (parameters.get('restore_id') ?? api.restoreId) !== api.restoreId
    const reset = isOtherDatabase || requested > changeLog.length
    const since = reset ? changeLog.length : requested
    const changes = api.hasEmptyChangeLog ? [] : changeLog.slice(since, since + CHANGES_LIMIT)
    return {
      revision: `${since + changes.length}.0`,
      restore_id: api.restoreId,
      reset,
      scores: changes.some(({ type }) => type === 'scores'),
      settings: changes.some(({ type }) => type === 'settings'),
      articles: changes.flatMap((change) => (change.type === 'article' ? [change.article] : [])),
    }
  }

  function toResponse(
    { status = 200, body, link, hasNoEtag }: Reply,
    requestHeaders: Headers,
  ): Response {
    const headers = new Headers({ ...(link && { link }) })
    if (api.nextChange) headers.set('cms-next-change', api.nextChange)
    if (body === undefined) return new Response(null, { status, headers })
    const text = JSON.stringify(body)
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    if (!hasNoEtag) headers.set('etag', etag)
    if (requestHeaders.get('if-none-match') === etag)
      return new Response(null, { status: 304, headers })
    headers.set('content-type', 'application/json')
    return new Response(text, { status, headers })
  }
}

function toState(article: ArticlePage | undefined): ArticleChange['before'] {
  if (!article) return null
  const { slug, language, category, author, published_at } = article
  return {
    slug,
    language,
    category_slug: category?.slug ?? null,
    author_slug: author?.slug ?? null,
    month: published_at?.slice(0, 7) ?? null,
  }
}
