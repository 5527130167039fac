import type { ArticlePage } from '../../../../contract/article.ts'
import type { AuthorProfile, AuthorSlice } from '../../../../contract/author.ts'
import type { ListItem } from '../../../../contract/list.ts'
import type { Image } from '../../../../contract/primitives.ts'
import type { SettingsBundle, SiteSettingsBlob } from '../../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../../contract/template.ts'
import type { ContentApi } from '../content-api.ts'
import type { RenderContext } from '../render-context.ts'
import { defaultTemplates } from './themes.ts'

export const image: Image = {
  url: '/cmp-media/articles/harbour/ferry.jpg',
  alt: 'A ferry leaves the quay at dawn',
  width: 1600,
  height: 1000,
  mime_type: 'image/jpeg',
  caption: 'The first ferry of the day.',
  credit: 'Ines Vogel',
  variants: [
    { url: '/cmp-media/articles/harbour/ferry-480.webp', width: 480 },
    { url: '/cmp-media/articles/harbour/ferry-960.webp', width: 960 },
    { url: '/cmp-media/articles/harbour/ferry-1600.webp', width: 1600 },
  ],
}

export const author: AuthorSlice = {
  id: 7,
  slug: 'ines-vogel',
  name: 'Ines Vogel',
  job_title: 'Port correspondent',
  path: '/author/ines-vogel',
  image: null,
  bio_html: '<p>Writes about <em>ships</em>.</p>',
  website_url: 'https://ines.example/',
  social_links: ['https://social.example/@ines'],
  expertise: ['Shipping', 'Labour'],
}

const category = { slug: 'port', name: 'Port', path: '/category/port' }

export function itemBut(changes: Partial<ListItem> = {}): ListItem {
  const { bio_html, website_url, social_links, expertise, ...card } = author
  return {
    id: 1,
    slug: 'night-ferry',
    language: 'en',
    path: '/night-ferry',
    title: 'The night ferry returns',
    description: 'After nine years the last boat leaves at midnight again.',
    content_type: 'homepage_article',
    published_at: '2026-11-19T06:30:00.000Z',
    updated_at: '2026-11-19T08:00:00.000Z',
    reading_time_minutes: 4,
    is_featured: false,
    image,
    category,
    author: card,
    ...changes,
  }
}

export function articleBut(changes: Partial<ArticlePage> = {}): ArticlePage {
  return {
    id: 1,
    site_id: 1,
    slug: 'night-ferry',
    language: 'en',
    path: '/night-ferry',
    content_type: 'homepage_article',
    version: null,
    title: 'The night ferry returns',
    subtitle: 'Crews, bakers and nurses asked for it.',
    description: 'After nine years the last boat leaves at midnight again.',
    body_html: '<p>The quay was <strong>full</strong>.</p><h2>Who rides</h2><p>Everyone.</p>',
    word_count: 812,
    reading_time_minutes: 4,
    published_at: '2026-11-19T06:30:00.000Z',
    updated_at: '2026-11-20T08:00:00.000Z',
    created_at: '2026-11-18T12:00:00.000Z',
    is_featured: true,
    show_in_homepage: true,
    image,
    category,
    tags: [{ slug: 'ferries', name: 'Ferries' }],
    author,
    seo_title: 'The night ferry returns',
    seo_description: null,
    seo_canonical_url: null,
    seo_robots: null,
    seo_image: null,
    breadcrumbs: [
      { name: 'Home', path: '/' },
      { name: 'Port', path: '/category/port' },
      { name: 'The night ferry returns', path: '/night-ferry' },
    ],
    alternates: [
      { language: 'en', slug: 'night-ferry', path: '/night-ferry' },
      { language: 'de', slug: 'nachtfaehre', path: '/de/nachtfaehre' },
    ],
    related: [itemBut({ id: 2, slug: 'crane', path: '/crane', title: 'A crane named Ruth' })],
    ...changes,
  }
}

export function profileBut(changes: Partial<AuthorSlice> = {}): AuthorProfile {
  const changedAuthor = { ...author, ...changes }
  return {
    author: changedAuthor,
    seo: {
      title: changedAuthor.name,
      description: `Articles by ${changedAuthor.name}.`,
      person: {
        '@context': 'https://schema.org',
        '@type': 'Person',
        name: changedAuthor.name,
        url: 'https://harbour.example/author/ines-vogel',
        worksFor: {
          '@type': 'NewsMediaOrganization',
          name: 'Harbour Press',
          url: 'https://harbour.example/',
        },
      },
    },
    stats: { article_count: 12, latest_published_at: '2026-11-19T06:30:00.000Z' },
  }
}

export function settingsBut(changes: Partial<SiteSettingsBlob> = {}): SettingsBundle {
  return {
    site: {
      id: 1,
      acronym: 'harbour',
      domain: 'harbour.example',
      name: 'The Harbour Post',
      default_language: 'en',
      timezone: 'Europe/Berlin',
    },
    site_settings: {
      title: 'The Harbour Post',
      tagline: 'News from the waterline',
      description: 'A newsroom for a port city.',
      logo: { ...image, url: '/cmp-media/brand/harbour/logo.svg', mime_type: 'image/svg+xml' },
      icon_url: '/cmp-media/brand/harbour/icon.png',
      social_image: { ...image, url: '/cmp-media/brand/harbour/social.jpg' },
      theme_color: '#0b3c5d',
      css_slug: 'harbour',
      css_version: '1.0.0',
      articles_per_page: 20,
      copyright: '© Harbour Press',
      contact_email: 'desk@harbour.example',
      publisher_name: 'Harbour Press',
      twitter_handle: '@harbourpost',
      social_links: [{ platform: 'mastodon', url: 'https://social.example/@harbour' }],
      languages: [language('en', 'English', true), language('de', 'Deutsch', false)],
      navigation: [
        { area: 'header', label: 'Port', path: '/category/port', language: null },
        { area: 'footer', label: 'About us', path: '/about', language: 'en' },
        { area: 'footer', label: 'Über uns', path: '/about', language: 'de' },
      ],
      categories: [
        categoryRow(1, 'port', 'en', 'Port'),
        categoryRow(2, 'port', 'de', 'Hafen'),
        { ...categoryRow(3, 'ferries', 'en', 'Ferries'), parent_slug: 'port' },
      ],
      tags: [{ id: 1, slug: 'ferries', language: 'en', name: 'Ferries' }],
      templates: defaultTemplates(),
      active_template: 'harbour',
      ads_txt: 'example.com, 1, DIRECT',
      robots_txt: null,
      feature_flags: {},
      ...changes,
    },
    meta: { etag: null, language: null },
  }
}

const language = (code: string, name: string, is_default: boolean) =>
  ({ code, name, direction: 'ltr', is_default, labels: {} }) as const

const categoryRow = (id: number, slug: string, code: string, name: string) => ({
  id,
  slug,
  language: code,
  name,
  description: `All about ${name}.`,
  parent_slug: null,
  position: id,
})

export function templateBut(changes: Partial<ResolvedTemplate>): ResolvedTemplate {
  return {
    key: 'home',
    type: 'layout',
    title: 'Home',
    language: null,
    origin: 'override',
    source: '',
    fallbacks: [],
    ...changes,
  }
}

/** Creates an API with one English article, its author and its category. */
export function apiBut(changes: Partial<ContentApi> = {}): ContentApi {
  return {
    article: async (slug) =>
      slug === 'night-ferry' ? { type: 'ok', value: articleBut() } : { type: 'not-found' },
    author: async (slug) =>
      slug === author.slug ? { type: 'ok', value: profileBut() } : { type: 'not-found' },
    list: async ({ language }) => ({
      type: 'ok',
      value: { items: language === 'en' ? [itemBut()] : [], next_cursor: null },
    }),
    sitemap: async () => ({
      type: 'ok',
      value: {
        urls: [
          {
            id: 1,
            path: '/night-ferry',
            language: 'en',
            published_at: '2026-09-01T06:00:00.000Z',
            updated_at: '2026-11-20T08:00:00.000Z',
          },
        ],
        static_pages: [
          { path: '/', title: 'Home' },
          { path: '/about', title: 'About us' },
        ],
        next_cursor: null,
      },
    }),
    ...changes,
  }
}

/** An API whose every article has these changes. */
export const withArticle = (changes: Partial<ArticlePage>): ContentApi =>
  apiBut({ article: async () => ({ type: 'ok', value: articleBut(changes) }) })

export function contextBut(changes: Partial<RenderContext> = {}): RenderContext {
  return {
    settings: settingsBut(),
    canonicalOrigin: 'https://harbour.example',
    indexable: true,
    api: apiBut(),
    css: { slug: 'harbour', version: '1.0.0' },
    now: new Date('2026-11-21T08:00:00.000Z'),
    warn: () => {},
    ...changes,
  }
}
