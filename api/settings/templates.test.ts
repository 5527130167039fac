import { expect, test } from 'vitest'
import type { TemplateRow } from './queries.ts'
import { resolveTemplates } from './templates.ts'

interface Source {
  language: string | null
  source: string
}

const elementWith = (sources: { blocks?: Source[]; overrides?: Source[] }): TemplateRow => ({
  id: 1,
  key: 'about',
  type: 'page',
  title: 'About',
  source: 'element',
  blocks: (sources.blocks ?? []).map((block) => ({ id: 1, ...block })),
  overrides: (sources.overrides ?? []).map((override) => ({ id: 1, ...override })),
})
const block = (language: string | null): Source => ({ language, source: `block ${language}` })
const override = (language: string | null): Source => ({ language, source: `override ${language}` })

const resolve = (element: TemplateRow, onlyLanguage?: string) =>
  resolveTemplates([element], onlyLanguage, () => {}).map(({ language, source, fallbacks }) => [
    language,
    [source, ...fallbacks.map((fallback) => fallback.source)],
  ])

test.each<[string, TemplateRow, string | undefined, unknown]>([
  [
    'without block and override, the element is used',
    elementWith({}),
    undefined,
    [[null, ['element']]],
  ],
  [
    'a block precedes the element',
    elementWith({ blocks: [block(null)] }),
    undefined,
    [[null, ['block null', 'element']]],
  ],
  [
    'an override precedes both',
    elementWith({ blocks: [block(null)], overrides: [override(null)] }),
    undefined,
    [[null, ['override null', 'block null', 'element']]],
  ],
  [
    'the origin is compared before the language',
    elementWith({ blocks: [block(null), block('de')], overrides: [override(null)] }),
    undefined,
    [
      [null, ['override null', 'block null', 'element']],
      ['de', ['override null', 'block de', 'block null', 'element']],
    ],
  ],
  [
    'a language with a source of its own gets it',
    elementWith({ overrides: [override('de')] }),
    'de',
    [['de', ['override de', 'element']]],
  ],
  [
    'a language without a source of its own gets the general one',
    elementWith({ overrides: [override('de')] }),
    'fr',
    [[null, ['element']]],
  ],
])('%s', (_, element, onlyLanguage, expected) => {
  expect(resolve(element, onlyLanguage)).toEqual(expected)
})
