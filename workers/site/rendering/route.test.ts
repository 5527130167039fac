import { describe, expect, it } from 'vitest'
import { toListPath } from './list-path.ts'
import { decideRoute, type LanguageRoute, type Route } from './route.ts'
import { toRoutePath } from './route-path.ts'
import { settingsBut } from './tests/fixtures.ts'

const settings = settingsBut()
const cursor = 'eyJhIjoxfQ-_x'
const en = { language: 'en' } as const
const de = { language: 'de' } as const

const ROUTES: [string, Route][] = [
  ['/', { type: 'home', ...en }],
  ['/de', { type: 'home', ...de }],
  ['/night-ferry', { type: 'article', ...en, slug: 'night-ferry' }],
  ['/de/nachtf%C3%A4hre', { type: 'article', ...de, slug: 'nachtfähre' }],
  ['/category/port', { type: 'category', ...en, slug: 'port' }],
  ['/de/category/port', { type: 'category', ...de, slug: 'port' }],
  [`/category/port/after/${cursor}`, { type: 'category', ...en, slug: 'port', cursor }],
  ['/author/ines-vogel', { type: 'author', ...en, slug: 'ines-vogel' }],
  [`/author/ines-vogel/after/${cursor}`, { type: 'author', ...en, slug: 'ines-vogel', cursor }],
  ['/archive', { type: 'archive', ...en }],
  ['/archive/2026/11', { type: 'month', ...en, month: '2026-11' }],
  [`/de/archive/2026/11/after/${cursor}`, { type: 'month', ...de, month: '2026-11', cursor }],
  ['/search', { type: 'search', ...en }],
  ['/about', { type: 'page', ...en, key: 'about' }],
  ['/feed.xml', { type: 'feed', ...en, format: 'rss' }],
  ['/de/atom.xml', { type: 'feed', ...de, format: 'atom' }],
  ['/category/port/feed.json', { type: 'feed', ...en, format: 'json', category: 'port' }],
]

const FILES: [string, Route][] = [
  ['/robots.txt', { type: 'robots' }],
  ['/ads.txt', { type: 'ads' }],
  ['/sitemap.xml', { type: 'sitemap_index' }],
  ['/sitemap/first.xml', { type: 'sitemap' }],
  [`/sitemap/${cursor}.xml`, { type: 'sitemap', cursor }],
  ['/en/night-ferry', { type: 'redirect', location: '/night-ferry' }],
  ['/en', { type: 'redirect', location: '/' }],
]

const NOT_FOUND = [
  '/fr/night-ferry',
  '/Night-Ferry',
  '/night--ferry',
  '/wp-login.php',
  '/de/robots.txt',
  '/category/port/after',
  `/category/port/after/${cursor}/more`,
  '/category/port/page/2',
  '/category/Port',
  '/archive/2026/13',
  '/archive/2026',
  '/sitemap/a/b.xml',
  '/constructor/x',
  '/__proto__',
  '/..%2fadmin',
  '/%ff',
]

describe('decideRoute', () => {
  it.each([...ROUTES, ...FILES])('returns the route of %s', (path, route) => {
    expect(decideRoute(path, settings)).toEqual(route)
  })

  it.each(NOT_FOUND)('%s is not found', (path) => {
    expect(decideRoute(path, settings)).toMatchObject({ type: 'not_found' })
  })

  it.each([
    ['/no/such/path', 'en'],
    ['/de/no/such/path', 'de'],
    ['/fr/no/such/path', 'en'],
    ['/%ff', 'en'],
  ])('%s is not found in the language %s', (path, language) => {
    expect(decideRoute(path, settings)).toEqual({ type: 'not_found', language })
  })

  it('finds a static page only in its languages', () => {
    const germanOnly = settingsBut({
      templates: settings.site_settings.templates.map((template) =>
        template.key === 'about' ? { ...template, language: 'de' } : template,
      ),
    })
    expect(decideRoute('/about', germanOnly).type).toBe('article')
    expect(decideRoute('/de/about', germanOnly)).toEqual({ type: 'page', ...de, key: 'about' })
  })
})

describe('toRoutePath', () => {
  it.each(ROUTES)('returns %s, the inverse of decideRoute', (path, route) => {
    expect(toRoutePath(route as LanguageRoute, 'en')).toBe(path)
  })
})

describe('toListPath', () => {
  it.each([
    ['/', '/'],
    ['/archive', '/archive'],
    ['/archive/2026/11', '/archive'],
    ['/de/archive/2026/11/after/c2', '/de/archive'],
    ['/category/port/after/c2', '/category/port'],
    ['/category/port/feed.xml', '/category/port/feed.xml'],
    ['/author/after', '/author/after'],
    ['/my-archive/x', '/my-archive/x'],
    ['/sitemap.xml', '/sitemap.xml'],
    ['/sitemap/c2.xml', '/sitemap.xml'],
  ])('maps %s to %s', (path, list) => {
    expect(toListPath(path)).toBe(list)
  })
})
