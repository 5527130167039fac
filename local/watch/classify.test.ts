import { expect, test } from 'vitest'
import { classify } from './classify.ts'

test.each([
  ['workers/site/decide.ts', ['site worker']],
  ['workers/media/index.ts', ['media worker']],
  ['workers/site/decide.test.ts', []],
  ['workers/site/tests/harness.ts', []],
  ['contract/article.ts', ['read API', 'site worker', 'media worker']],
  ['http/range.ts', ['read API', 'site worker', 'media worker']],
  ['api/app.ts', ['read API']],
  ['prisma/rows.ts', ['read API']],
  ['prisma/migrations/20260101000000_x/migration.sql', ['migrations', 'read API']],
  ['themes/templates/default/page/home.liquid', ['templates']],
  ['themes/css/harbour/1.css', ['stylesheets']],
  ['demo/content/harbour/articles/a.en.md', ['demo content']],
  ['Pulumi.site-stage.yaml', ['stack file']],
  ['Pulumi.yaml', ['stack file']],
  ['infra/site.ts', ['program']],
  ['infra/golden/site-stage.json', []],
  ['README.md', []],
])('%s reloads %j', (path, parts) => {
  expect([...classify([path]).keys()]).toEqual(parts)
})

test('groups the files of a part', () => {
  expect([...classify(['api/a.ts', 'api/b.ts'])]).toEqual([['read API', ['api/a.ts', 'api/b.ts']]])
})
