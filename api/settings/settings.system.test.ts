import { expect } from 'vitest'
import { SettingsBundle } from '../../contract/settings.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()
const BETA = '/public/v2/sites/2/settings'
const siteSettings = readBody(SettingsBundle, ({ site_settings }) => site_settings)

describeRequests(
  'a request finds its site by',
  newsroom,
  readBody(SettingsBundle, ({ site }) => site.id),
  [
    ['an id', '/public/v2/sites/1/settings', 1],
    ['an acronym', '/public/v2/sites/alpha/settings', 1],
    ['a domain', '/public/v2/sites/alpha.example/settings', 1],
    ['a domain in capitals', '/public/v2/sites/ALPHA.Example/settings', 1],
    ['an acronym of digits that are not an id', '/public/v2/sites/1042/settings', 2],
    ['an id with leading zeros', '/public/v2/sites/01/settings', 1],
  ],
)

describeRequests('settings', newsroom, siteSettings, [
  [
    'each column of the site precedes the default',
    'settings',
    expect.objectContaining({
      title: 'Alpha title',
      tagline: 'Global tagline',
      active_template: 'harbour',
      css_slug: 'base',
      articles_per_page: 10,
      robots_txt: 'User-agent: *',
      ads_txt: null,
      feature_flags: {},
    }),
  ],
  [
    'a site without settings has the defaults',
    BETA,
    expect.objectContaining({ title: 'Global title', active_template: 'plain' }),
  ],
  [
    'languages, with the default language marked',
    'settings',
    expect.objectContaining({
      languages: [
        expect.objectContaining({ code: 'en', is_default: true, labels: { read_more: 'Read on' } }),
        expect.objectContaining({ code: 'de', is_default: false, labels: {} }),
      ],
    }),
  ],
])

const templates = readBody(SettingsBundle, ({ site_settings }) =>
  site_settings.templates.map(({ key, language, origin, fallbacks }) =>
    [key, language ?? '*', origin, ...fallbacks.map((fallback) => fallback.origin)].join(' '),
  ),
)
describeRequests('templates', newsroom, templates, [
  [
    'override before block before element; one template for each language with a source of its own',
    'settings',
    [
      'about * element',
      'about de override element',
      'card * block element',
      'home * override block element',
    ],
  ],
  [
    'with a language, one template per key',
    'settings?language=de',
    ['about de override element', 'card * block element', 'home * override block element'],
  ],
  [
    "only blocks of the site's theme",
    BETA,
    ['about * block element', 'card * element', 'home * element'],
  ],
])

const includedRows = readBody(
  SettingsBundle,
  ({ site_settings: { categories, tags, navigation }, meta }) => ({
    categories: categories.map(({ name }) => name),
    tags: tags.length,
    navigation: navigation.length,
    meta,
  }),
)
describeRequests('the parameter language', newsroom, includedRows, [
  [
    'no language: all rows',
    'settings',
    {
      categories: ['News', 'Nachrichten', 'City'],
      tags: 3,
      navigation: 6,
      meta: { etag: null, language: null },
    },
  ],
  [
    'one language: rows in it and rows without a language',
    'settings?language=de',
    { categories: ['Nachrichten'], tags: 0, navigation: 6, meta: { etag: null, language: 'de' } },
  ],
  [
    'another language: rows in that one',
    'settings?language=en',
    { categories: ['News', 'City'], tags: 3, navigation: 5, meta: { etag: null, language: 'en' } },
  ],
])
