import type { ArticlePage } from '../../../contract/article.ts'
import type { AuthorProfile } from '../../../contract/author.ts'
import type { ListItem } from '../../../contract/list.ts'
import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ResolvedTemplate } from '../../../contract/template.ts'

const INSTANT = '2026-11-20T08:00:00.000Z'

/** Settings of a site in English and German, with one category and a minimal theme. */
export function settingsBut(
  changes: Partial<SettingsBundle['site_settings']> = {},
  site: Partial<SettingsBundle['site']> = {},
): SettingsBundle {
  return {
    site: {
      id: 1,
      acronym: 'harbour',
      domain: 'news.test',
      name: 'The Harbour Post',
      default_language: 'en',
      timezone: 'Europe/Berlin',
      ...site,
    },
    site_settings: {
      title: 'The Harbour Post',
      tagline: null,
      description: null,
      logo: null,
      icon_url: null,
      social_image: null,
      theme_color: null,
      css_slug: 'harbour',
      css_version: '1.0.0',
      articles_per_page: 20,
      copyright: null,
      contact_email: null,
      publisher_name: 'The Harbour Post',
      twitter_handle: null,
      social_links: [],
      languages: [
        { code: 'en', name: 'English', direction: 'ltr', is_default: true, labels: {} },
        { code: 'de', name: 'Deutsch', direction: 'ltr', is_default: false, labels: {} },
      ],
      navigation: [],
      categories: [
        {
          id: 1,
          slug: 'port',
          language: 'en',
          name: 'Port',
          description: null,
          parent_slug: null,
          position: 1,
        },
      ],
      tags: [],
      templates: Object.entries(TEMPLATES).map(([key, source]) => templateBut({ key, source })),
      active_template: 'harbour',
      ads_txt: null,
      robots_txt: null,
      feature_flags: {},
      ...changes,
    },
    meta: { etag: null, language: null },
  }
}

export function templateBut(
  changes: Partial<ResolvedTemplate> & { key: string },
): ResolvedTemplate {
  return {
    type: 'layout',
    title: changes.key,
    language: null,
    origin: 'element',
    source: '',
    fallbacks: [],
    ...changes,
  }
}

/** A minimal theme, which shows the titles of articles and of list items. */
const TEMPLATES = {
  document:
    '<!doctype html><title>{{ site.name }}</title><link rel="stylesheet" href="{{ css_path }}">{{ content }}',
  home: '{% list items kind: "homepage" %}<h1>Home</h1>{% for item in items %}<p>{{ item.title }}</p>{% endfor %}',
  article: '<h1>{{ article.title }}</h1>{{ article.body_html | raw }}',
  category: '<h1>Category</h1>{% for item in list.items %}<p>{{ item.title }}</p>{% endfor %}',
  author: '<h1>Author</h1>',
  archive:
    '<h1>Archive</h1>{% if newer %}<a href="{{ newer.path }}">Newer</a>{% endif %}{% for item in list.items %}<p>{{ item.title }}</p>{% endfor %}',
  search: '<h1>Search</h1>{{ query }}',
  not_found: '<h1>Not found</h1>',
}

export function itemBut(changes: Partial<ListItem> = {}): ListItem {
  const slug = changes.slug ?? 'lighthouse'
  return {
    id: 1,
    slug,
    language: 'en',
    path: `/${slug}`,
    title: 'The lighthouse',
    description: null,
    content_type: 'homepage_article',
    published_at: INSTANT,
    updated_at: INSTANT,
    reading_time_minutes: 3,
    is_featured: false,
    image: null,
    category: { slug: 'port', name: 'Port', path: '/category/port' },
    author: null,
    ...changes,
  }
}

export function articleBut(changes: Partial<ArticlePage> = {}): ArticlePage {
  const slug = changes.slug ?? 'lighthouse'
  return {
    id: 1,
    site_id: 1,
    slug,
    language: 'en',
    path: `/${slug}`,
    content_type: 'homepage_article',
    version: null,
    title: 'The lighthouse',
    subtitle: null,
    description: null,
    body_html: '<p>It shines.</p>',
    word_count: 600,
    reading_time_minutes: 3,
    published_at: INSTANT,
    updated_at: INSTANT,
    created_at: INSTANT,
    is_featured: false,
    show_in_homepage: true,
    image: null,
    category: { slug: 'port', name: 'Port', path: '/category/port' },
    tags: [],
    author: null,
    seo_title: 'The lighthouse',
    seo_description: null,
    seo_canonical_url: null,
    seo_robots: null,
    seo_image: null,
    breadcrumbs: [],
    alternates: [],
    related: [],
    ...changes,
  }
}

export function authorBut(changes: Partial<AuthorProfile['author']> = {}): AuthorProfile {
  return {
    author: {
      id: 1,
      slug: 'ada',
      name: 'Ada',
      job_title: null,
      path: '/author/ada',
      image: null,
      bio_html: null,
      website_url: null,
      social_links: [],
      expertise: [],
      ...changes,
    },
    seo: {
      title: 'Ada',
      description: null,
      person: {
        '@context': 'https://schema.org',
        '@type': 'Person',
        name: 'Ada',
        url: 'https://news.test/author/ada',
        worksFor: {
          '@type': 'NewsMediaOrganization',
          name: 'The Harbour Post',
          url: 'https://news.test',
        },
      },
    },
    stats: { article_count: 1, latest_published_at: INSTANT },
  }
}
