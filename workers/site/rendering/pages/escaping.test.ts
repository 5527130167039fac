import { describe, expect, it } from 'vitest'
import type { RenderContext } from '../render-context.ts'
import {
  apiBut,
  author,
  image,
  itemBut,
  profileBut,
  settingsBut,
  withArticle,
} from '../tests/fixtures.ts'
import { findAll, readJsonLd, renderPath } from '../tests/render.ts'

const HOSTILE = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"'\u2028&`

const CASES: [string, string, Partial<RenderContext>][] = [
  ['title', '/night-ferry', { api: withArticle({ title: HOSTILE, seo_title: HOSTILE }) }],
  ['subtitle', '/night-ferry', { api: withArticle({ subtitle: HOSTILE, description: HOSTILE }) }],
  ['description', '/night-ferry', { api: withArticle({ seo_description: HOSTILE }) }],
  [
    'image texts',
    '/night-ferry',
    {
      api: withArticle({
        image: { ...image, alt: HOSTILE, caption: HOSTILE, credit: HOSTILE, mime_type: HOSTILE },
      }),
    },
  ],
  [
    'names of tags and authors',
    '/night-ferry',
    {
      api: withArticle({
        tags: [{ slug: 'x', name: HOSTILE }],
        category: { slug: 'x', name: HOSTILE, path: '/category/x' },
        author: { ...author, name: HOSTILE, job_title: HOSTILE },
        breadcrumbs: [
          { name: HOSTILE, path: '/' },
          { name: HOSTILE, path: '/x' },
        ],
      }),
    },
  ],
  [
    'related articles',
    '/night-ferry',
    { api: withArticle({ related: [itemBut({ title: HOSTILE, description: HOSTILE })] }) },
  ],
  [
    'an author’s profile',
    '/author/ines-vogel',
    {
      api: apiBut({
        author: async () => ({
          type: 'ok',
          value: profileBut({ name: HOSTILE, job_title: HOSTILE, expertise: [HOSTILE] }),
        }),
      }),
    },
  ],
  ['search query', '/search', { query: { q: HOSTILE } }],
  [
    'the site’s settings',
    '/',
    {
      settings: settingsBut({
        title: HOSTILE,
        tagline: HOSTILE,
        description: HOSTILE,
        copyright: HOSTILE,
        publisher_name: HOSTILE,
        contact_email: HOSTILE,
        twitter_handle: HOSTILE,
        social_links: [{ platform: HOSTILE, url: 'https://social.example/' }],
        navigation: [{ area: 'header', label: HOSTILE, path: '/x', language: null }],
      }),
    },
  ],
]

describe('markup', () => {
  it.each(CASES)('in %s is escaped', async (_, path, changes) => {
    const { body } = await renderPath(path, changes)
    expect(body).toContain('alert(1)')
    expect(body).not.toMatch(/<script>|<img src=x|\u2028(?=[^<]*<\/script>)/)
    expect(findAll(body, /<(script)\b/g)).toHaveLength(1)
    expect(readJsonLd(body).length).toBeGreaterThan(1)
  })
})
