import { describe, expect, test } from 'vitest'
import { type LiveTheme, type Template, toTemplatePath } from './live-theme.ts'
import { planPublication, planRollback } from './plan.ts'

const templateBut = (changes: Partial<Template> = {}): Template => ({
  home: 'default',
  type: 'layout',
  key: 'home',
  language: null,
  title: 'Home',
  source: 'one',
  ...changes,
})

const liveBut = (changes: Partial<LiveTheme> = {}): LiveTheme => ({
  templates: [templateBut()],
  sites: [{ acronym: 'harbour', slug: 'harbour', version: '1.0.0' }],
  publication: null,
  digest: '',
  ...changes,
})

const homePath = 'templates/default/layout/home.liquid'
const themeTemplate = templateBut({ home: 'harbour', title: 'home', language: 'de' })
const override = templateBut({ home: 'sites/harbour', title: 'home' })

describe('a publication', () => {
  test.each<[string, Template[], string[]]>([
    ['nothing for equal files', [templateBut()], []],
    ['a template with another source', [templateBut({ source: 'two' })], [homePath]],
    ['a default with another title', [templateBut({ title: 'Front' })], [homePath]],
    ['a new template', [templateBut(), themeTemplate], ['templates/harbour/layout/home.de.liquid']],
    [
      'an override of an existing site',
      [templateBut(), override],
      ['templates/sites/harbour/layout/home.liquid'],
    ],
    [
      'nothing for a site that does not exist',
      [templateBut(), { ...override, home: 'sites/gazette' }],
      [],
    ],
  ])('changes %s', (_, files, paths) => {
    const { templates } = planPublication(liveBut(), files, [])
    expect(templates.map(({ path }) => path)).toEqual(paths)
  })

  test('keeps templates of editors, and deletes those of an earlier publication', () => {
    const live = liveBut({
      templates: [templateBut(), themeTemplate, override],
      publication: {
        id: 1,
        published_at: '2026-11-20 06:00:00+00',
        paths: [homePath, toTemplatePath(themeTemplate)],
        before: { templates: [], stylesheets: [] },
      },
    })
    const plan = planPublication(live, [templateBut()], [])
    expect(plan.templates).toEqual([
      { path: toTemplatePath(themeTemplate), before: themeTemplate, after: null },
    ])
    expect(plan.kept).toEqual([toTemplatePath(override)])
  })

  test('updates the stylesheet of a site to its newest version', () => {
    const sites = [
      { acronym: 'harbour', slug: 'harbour', version: '1.0.0' },
      { acronym: 'meridian', slug: 'meridian', version: '1.0.0' },
      { acronym: 'gazette', slug: null, version: null },
    ]
    const stylesheets = ['1.0.0', '1.1.0'].map((version) => ({ slug: 'harbour', version }))
    const plan = planPublication(liveBut({ sites }), [templateBut()], stylesheets)
    expect(plan.stylesheets.map(({ after }) => after)).toEqual([
      { acronym: 'harbour', slug: 'harbour', version: '1.1.0' },
    ])
  })
})

describe('a rollback', () => {
  test('restores the theme before the newest publication', () => {
    const live = liveBut({
      templates: [templateBut({ source: 'two' }), themeTemplate],
      sites: [{ acronym: 'harbour', slug: 'harbour', version: '1.1.0' }],
      publication: {
        id: 1,
        published_at: '2026-11-20 06:00:00+00',
        paths: [homePath],
        before: {
          templates: [
            { path: homePath, template: templateBut() },
            { path: toTemplatePath(themeTemplate), template: null },
          ],
          stylesheets: [{ acronym: 'harbour', slug: 'harbour', version: '1.0.0' }],
        },
      },
    })
    const plan = planRollback(live)
    expect(plan?.templates.map(({ after }) => after)).toEqual([templateBut(), null])
    expect(plan?.stylesheets.map(({ after }) => after.version)).toEqual(['1.0.0'])
  })

  test('is impossible without a publication', () => {
    expect(planRollback(liveBut())).toBeUndefined()
  })
})
