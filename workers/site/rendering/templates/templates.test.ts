import { describe, expect, it } from 'vitest'
import type { ResolvedTemplate } from '../../../../contract/template.ts'
import { apiBut, itemBut, settingsBut, templateBut } from '../tests/fixtures.ts'
import { renderPath } from '../tests/render.ts'

const plainDocument = [templateBut({ key: 'document', source: '{{ content }}' })]
const toFallbacks = (source: string) => [{ origin: 'element' as const, source }]

async function renderHome(...templates: ResolvedTemplate[]) {
  const warnings: Record<string, unknown>[] = []
  const { body } = await renderPath('/', {
    settings: settingsBut({ templates: [...templates, ...plainDocument] }),
    warn: (_message, fields) => warnings.push(fields),
  })
  return { body, warnings }
}

const FAILING: [string, string][] = [
  ['does not parse', '{% if %}'],
  ['is not closed', '{% for item in categories %}'],
  ['has an unknown filter', '{{ site.title | shout }}'],
  ['has an unknown tag', '{% shout %}'],
  ['renders an unknown partial', '{% render "nobody" %}'],
  ['reads a file', '{% include "package.json" %}'],
  ['is too large', 'x'.repeat(65 * 1024)],
  ['loops over a very long range', '{% for i in (1..100000000) %}{% endfor %}'],
  ['nests long loops', '{% for i in (1..1000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}'],
  [
    'doubles a text repeatedly',
    `{% assign text = 'ab' %}${'{% assign text = text | append: text %}'.repeat(40)}{{ text }}`,
  ],
  [
    'doubles a captured text repeatedly',
    `${'{% capture text %}{{ text }}x{{ text }}{% endcapture %}'.repeat(40)}{{ text }}`,
  ],
  ['repeats a long text', `{% for i in (1..9999) %}${'x'.repeat(60_000)}{% endfor %}`],
  ['is nested very deeply', `${'{% if true %}'.repeat(6000)}${'{% endif %}'.repeat(6000)}`],
]

describe('a template that fails', () => {
  it.each(FAILING)('and %s is replaced by the next source, with a warning', async (_, source) => {
    const { body, warnings } = await renderHome(
      templateBut({ source, fallbacks: toFallbacks('the default') }),
    )
    expect(body).toBe('the default')
    expect(warnings).toEqual([expect.objectContaining({ template: 'home', language: 'en' })])
  })

  it.each(FAILING)('and %s is replaced alone when it is a partial', async (_, source) => {
    const { body, warnings } = await renderHome(
      templateBut({ source: 'a {% render "card", item: 1 %} c {% render "card" %}' }),
      templateBut({ key: 'card', type: 'partial', source, fallbacks: toFallbacks('b{{ item }}') }),
    )
    expect(body).toBe('a b1 c b')
    expect(warnings).toHaveLength(1)
  })

  it('stops a partial that renders itself', async () => {
    const { body } = await renderHome(
      templateBut({ source: '{% render "card" %}' }),
      templateBut({
        key: 'card',
        type: 'partial',
        source: '{% render "card" %}',
        fallbacks: toFallbacks('end'),
      }),
    )
    expect(body).toBe('end')
  })

  it('fails when all sources fail and an earlier page can be served', async () => {
    const settings = settingsBut({
      templates: [templateBut({ source: '{% if %}' }), ...plainDocument],
    })
    await expect(renderPath('/', { settings, hasPrevious: true })).rejects.toThrow('"home"')
  })

  it('is replaced by a plain page when all sources fail', async () => {
    const { body, warnings } = await renderHome(templateBut({ source: '{% if %}' }))
    expect(body).toContain('The night ferry returns')
    expect(warnings).toEqual([expect.objectContaining({ template: 'home' })])
  })

  it('reports the page, not a partial, when the page exceeds its budget', async () => {
    const { body, warnings } = await renderHome(
      templateBut({
        source: '{% for i in (1..90000) %}{% render "card" %}{% endfor %}',
        fallbacks: toFallbacks('{% render "card" %}'),
      }),
      templateBut({ key: 'card', type: 'partial', source: 'card' }),
    )
    expect(body).toBe('card')
    expect(warnings.map((each) => each.template)).toEqual(['home'])
  })

  it('shows its warnings in a preview', async () => {
    const settings = settingsBut()
    settings.site_settings.templates.unshift(
      templateBut({ source: '{% if %}', fallbacks: toFallbacks('the default') }),
    )
    const { body } = await renderPath('/', { settings, preview: {} })
    expect(body).toContain('A template failed')
    expect((await renderPath('/', { settings })).body).not.toContain('A template failed')
  })
})

describe('escaping', () => {
  const hostile = '<script>alert(1)</script>"\'&'
  const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;'

  it.each([
    '{{ site.title }}',
    '{{ site.title | raw }}',
    '{% echo site.title %}',
    '{% cycle site.title %}',
    '{{ text | default: site.title }}',
    '{% assign text = site.title %}{{ text }}',
  ])('is applied by %s', async (source) => {
    const { body } = await renderPath('/', {
      settings: settingsBut({
        title: hostile,
        templates: [templateBut({ source }), ...plainDocument],
      }),
    })
    expect(body).toBe(escaped)
  })

  it.each(['constructor', '__proto__', 'toString', 'site.constructor.name', 'labels.__proto__'])(
    '{{ %s }} is empty',
    async (path) => {
      const { body } = await renderHome(templateBut({ source: `[{{ ${path} }}]` }))
      expect(body).toBe('[]')
    },
  )
})

describe('languages', () => {
  it('use the template for all languages when their own fails', async () => {
    const templates = [
      templateBut({ language: 'de', source: '{% if %}' }),
      templateBut({ source: '{{ language.code }}' }),
      ...plainDocument,
    ]
    const settings = settingsBut({ templates })
    expect((await renderPath('/de', { settings })).body).toBe('de')
  })
})

describe('list tags', () => {
  it('are fetched in parallel, in the language of the page', async () => {
    const queries: unknown[] = []
    const api = apiBut({
      list: async (query) => {
        queries.push(query)
        return { type: 'ok', value: { items: [itemBut({ title: query.kind })], next_cursor: null } }
      },
    })
    const source = `{% list top kind: 'trending', limit: 3 %}{% list new kind: 'recent' %}
      {{- top[0].title }} {{ new[0].title -}}`
    const settings = settingsBut({ templates: [templateBut({ source }), ...plainDocument] })
    expect((await renderPath('/', { settings, api })).body).toBe('trending recent')
    expect(queries).toEqual([
      { kind: 'trending', language: 'en', limit: 3 },
      { kind: 'recent', language: 'en', limit: 20 },
    ])
  })

  it.each([`kind: 'nothing'`, `kind: 'category'`, `kind: 'recent', limit: 1000`])(
    'with invalid parameters are empty: %s',
    async (hash) => {
      const { body, warnings } = await renderHome(
        templateBut({ source: `{% list top ${hash} %}{{ top.size }}` }),
      )
      expect(body).toBe('0')
      expect(warnings).toHaveLength(1)
    },
  )

  it.each([
    ['inside another tag', `{% if true %}{% list top kind: 'recent' %}{% endif %}`],
    ['inside liquid', `{% liquid\n list top kind: 'recent' %}`],
    ['in a partial', `{% render 'card' %}`],
    [
      'as the thirteenth',
      Array.from({ length: 13 }, (_, index) => `{% list l${index} kind: 'recent' %}`).join(''),
    ],
  ])('%s make the template fail', async (_, source) => {
    const failing = templateBut({ source, fallbacks: [{ origin: 'element', source: 'the next' }] })
    const card = templateBut({ key: 'card', source: `{% list top kind: 'recent' %}` })
    const { body, warnings } = await renderHome(failing, card)
    expect(body).toBe('the next')
    expect(JSON.stringify(warnings)).toContain('at most 12 per template')
  })

  it('make the rendering reject when the API fails', async () => {
    const api = apiBut({ list: () => Promise.reject(new Error('the API is down')) })
    await expect(renderPath('/', { api })).rejects.toThrow('the API is down')
  })
})

describe('a page without a template', () => {
  it.each([
    ['/', 'The night ferry returns'],
    ['/night-ferry', 'The night ferry returns'],
    ['/category/port', 'The night ferry returns'],
    ['/author/ines-vogel', 'The night ferry returns'],
    ['/search', 'Search'],
    ['/archive', 'Archive'],
    ['/nowhere', 'Page not found'],
  ])('is a plain page with its content at %s, with warnings', async (path, text) => {
    const warnings: Record<string, unknown>[] = []
    const { body } = await renderPath(path, {
      settings: settingsBut({ templates: [] }),
      warn: (_message, fields) => warnings.push(fields),
    })
    expect(body).toContain('<!doctype html>')
    expect(body).toContain(text)
    expect(warnings).toContainEqual(expect.objectContaining({ template: 'document' }))
  })
})
