import { describe, expect, it } from 'vitest'
import type { Redirect } from '../../../../contract/redirect.ts'
import { renderNotFound, renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import { apiBut, contextBut } from '../tests/fixtures.ts'
import { renderPath } from '../tests/render.ts'

describe('a path without a page', () => {
  const notFound = { type: 'not-found' } as const
  const api = apiBut({
    list: async ({ kind }) =>
      kind === 'recent' ? { type: 'ok', value: { items: [], next_cursor: null } } : notFound,
    sitemap: async () => notFound,
  })
  it.each([
    '/no-such-article',
    '/category/no-such-category',
    '/category/port/after/forged',
    '/author/nobody',
    '/archive/2027/01',
    '/archive/1989/12',
    '/sitemap/forged.xml',
    '/category/nothing/feed.xml',
    '/No-Route',
  ])('%s is a 404 page', async (path) => {
    const page = await renderPath(path, { api })
    expect(page).toMatchObject({ status: 404, pageType: 'not_found' })
    expect(page.headers?.['x-robots-tag']).toBe('noindex, follow')
    expect(page.body).not.toContain('rel="canonical"')
  })

  it('has the same page for every path of a language', async () => {
    const [first, second, german] = await Promise.all(
      ['/Nope', '/no/such/path', '/de/No-Such-Page'].map((path) => renderPath(path)),
    )
    expect(first).toEqual(second)
    expect(german?.body).toContain('<html lang="de"')
    expect(german?.body).toContain('href="/de/search"')
  })

  it.each([
    ['/no-such-article', 1],
    ['/author/nobody', 1],
    ['/category/no-such-category', 0],
    ['/category/port/after/forged', 1],
    ['/category/port/after/forged/more', 0],
    ['/archive/2026/10/after/forged', 1],
    ['/archive/1989/12', 0],
    ['/sitemap/forged.xml', 1],
    ['/No-Route', 0],
    ['/de/no/such/path', 0],
  ])('%s causes %i requests to the API', async (path, expected) => {
    let calls = 0
    const countCall = async () => {
      calls++
      return notFound
    }
    const countingApi = {
      article: countCall,
      author: countCall,
      list: countCall,
      sitemap: countCall,
    }
    const context = contextBut({ api: countingApi })
    const rendered = await renderRoute(decideRoute(path, context.settings), context)
    expect(rendered.type).toBe('not-found')
    expect(calls).toBe(expected)
  })
})

describe('a moved or removed article', () => {
  const render = (path: string, redirect: Redirect) => {
    const article = async () => ({ type: 'not-found', redirect }) as const
    const context = contextBut({ api: apiBut({ article }) })
    return renderRoute(decideRoute(path, context.settings), context)
  }

  it.each<[string, Redirect, number, string]>([
    ['/old', { to: '/new', status: 301 }, 301, '/new'],
    ['/old', { to: '/new', status: 302 }, 302, '/new'],
    ['/de/alt', { to: '/de/neu', status: 301 }, 301, '/de/neu'],
    ['/old', { to: '/en/new', status: 301 }, 301, '/new'],
    ['/old', { to: '/new/', status: 301 }, 301, '/new'],
    ['/old', { to: '/new?from=old#top', status: 301 }, 301, '/new?from=old#top'],
    ['/old', { to: '/cmp-media/report.pdf', status: 301 }, 301, '/cmp-media/report.pdf'],
  ])('%s with %j responds with %i to %s', async (path, redirect, status, location) => {
    expect(await render(path, redirect)).toEqual({ type: 'redirect', status, location })
  })

  it('is not found when the redirect leads to the same path', async () => {
    const rendered = await render('/old', { to: '/en/old', status: 301 })
    expect(rendered).toEqual({ type: 'not-found', status: 404, language: 'en' })
  })

  it('is a 410 with the not-found template when it was removed', async () => {
    const rendered = await render('/de/alt', { to: null, status: 410 })
    expect(rendered).toEqual({ type: 'not-found', status: 410, language: 'de' })
    const page = await renderNotFound({ status: 410, language: 'de' }, contextBut())
    expect(page).toMatchObject({ status: 410, pageType: 'not_found' })
    expect(page.body).toContain('Page removed')
    expect(page.body).toContain('>410<')
    expect(page.body).toContain('<html lang="de"')
  })
})
