import { execFile } from 'node:child_process'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importDemo } from '../../demo/import-demo.ts'
import { type Store, startStore } from '../../local/emulators/s3/server.ts'
import { withClient } from '../../prisma/connection.ts'
import { createDatabase, type TestDatabase } from '../../prisma/test-database.ts'
import { publishTheme, readTheme } from '../../themes/publication.ts'
import { THEMES } from '../../themes/templates.ts'

const BUCKET = 'cms-edge-theme-test'
const HOME_TEMPLATE = 'templates/harbour/layout/home.liquid'

let folder: string
let themes: string
let database: TestDatabase
let store: Store

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-theme-'))
  themes = join(folder, 'themes')
  store = await startStore({ folder: join(folder, 'store'), port: 0 })
  await store.open(BUCKET)
  store.addCredential(toCredential('s3:GetObject', 's3:PutObject', 's3:ListBucket'))
})

afterAll(async () => {
  await store.stop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  database = await createDatabase()
  await importDemo(database.url, { acronym: 'harbour' })
  await rm(themes, { recursive: true, force: true })
  for (const name of ['templates', 'css'])
    await cp(join(THEMES, name), join(themes, name), { recursive: true })
  return () => database.drop()
})

const SECRET = 'a-secret-of-the-test'

const toCredential = (...Action: string[]) => ({
  accessKeyId: 'AKIAOPERATOR',
  secretAccessKey: SECRET,
  policies: [
    {
      Version: '2012-10-17' as const,
      Statement: [{ Effect: 'Allow' as const, Action, Resource: ['arn:aws:s3:::*'] }],
    },
  ],
})

function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    SITE_STAGE_DATABASE_URL: database.url,
    MEDIA_STAGE_STORE_BUCKET: BUCKET,
    MEDIA_STAGE_STORE_REGION: 'us-east-1',
    MEDIA_STAGE_STORE_ENDPOINT: store.url,
    OPERATOR_ACCESS_KEY_ID: 'AKIAOPERATOR',
    OPERATOR_SECRET_ACCESS_KEY: SECRET,
  }
  const command = join(import.meta.dirname, 'index.ts')
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  execFile(process.execPath, [command, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` }),
  )
  return promise
}

const publish = (...options: string[]) => run('site-stage', '--from', themes, ...options)

const readDatabase = async () => {
  const { templates, sites } = await readTheme(database.url)
  return { templates, sites }
}

const sourceOf = async (home: string, key: string) =>
  (await readTheme(database.url)).templates.find((one) => one.home === home && one.key === key)
    ?.source

const query = (sql: string) => withClient(database.url, (client) => client.query(sql))

test('a theme is published and rolled back', { timeout: 180_000 }, async () => {
  expect((await publish()).output).toContain('upload   css/harbour/1.0.0.css')
  expect((await publish()).output).toContain('No difference.')
  const before = await readDatabase()

  await appendFile(join(themes, HOME_TEMPLATE), '<p>Edited</p>\n')
  await writeFile(join(themes, 'templates/default/partial/banner.liquid'), '<p>New</p>\n')
  await cp(join(themes, 'css/harbour/1.0.0.css'), join(themes, 'css/harbour/1.1.0.css'))

  const shown = await publish('--diff')
  expect(shown.code).toBe(0)
  expect(shown.output).toContain(`change   ${HOME_TEMPLATE}`)
  expect(shown.output).toContain('+<p>Edited</p>')
  expect(shown.output).toContain('add      templates/default/partial/banner.liquid')
  expect(shown.output).toContain('upload   css/harbour/1.1.0.css')
  expect(shown.output).toContain('site     harbour: stylesheet harbour 1.0.0 -> 1.1.0')
  expect(await readDatabase(), 'a difference changes nothing').toEqual(before)

  const done = await publish()
  expect(done.output).toContain('Published: 2 templates, stylesheets of 1 sites.')
  expect(await sourceOf('harbour', 'home')).toMatch(/<p>Edited<\/p>\n$/)
  expect(await sourceOf('default', 'banner')).toBe('<p>New</p>\n')
  expect((await readDatabase()).sites).toContainEqual({
    acronym: 'harbour',
    slug: 'harbour',
    version: '1.1.0',
  })
  expect((await publish()).output).toContain('No difference.')

  const back = await run('site-stage', '--rollback', '--diff')
  expect(back.output).toContain('-<p>Edited</p>')
  expect(await sourceOf('default', 'banner')).toBe('<p>New</p>\n')
  expect((await run('site-stage', '--rollback')).output).toContain(
    'Rolled back: 2 templates, stylesheets of 1 sites.',
  )
  expect(await readDatabase()).toEqual(before)
  expect(await run('site-stage', '--rollback')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Nothing was published'),
  })
})

describe('a broken template', () => {
  test.each([
    ['an unclosed tag', HOME_TEMPLATE, '{% if site.title %}\n', 'not closed'],
    ['an unknown filter', HOME_TEMPLATE, '{{ site.title | nofilter }}\n', 'undefined filter'],
    ['an unknown partial', HOME_TEMPLATE, "{% render 'nope' %}\n", '"nope"'],
    [
      'a loop beyond the render budget',
      'templates/default/layout/article.liquid',
      '{% for i in (1..99999) %}{% for j in (1..99999) %}x{% endfor %}{% endfor %}\n',
      '',
    ],
  ])(
    'with %s is rejected with file and line',
    { timeout: 90_000 },
    async (_, path, text, message) => {
      const lines = (await readFile(join(themes, path), 'utf8')).split('\n').length
      await appendFile(join(themes, path), text)
      const before = await readDatabase()
      const { code, output } = await publish()
      expect(code).toBe(1)
      expect(output).toContain(`${path}:${lines}: `)
      expect(output).toContain(message)
      expect(await readDatabase()).toEqual(before)
    },
  )
})

test('no template is published when an asset is rejected', { timeout: 90_000 }, async () => {
  await publish()
  await appendFile(join(themes, HOME_TEMPLATE), '<p>Edited</p>\n')
  await appendFile(join(themes, 'css/harbour/1.0.0.css'), '/* edited */\n')
  const { code, output } = await publish()
  expect(code).toBe(1)
  expect(output).toContain('css/harbour/1.0.0.css is published with another content')
  expect(await sourceOf('harbour', 'home')).not.toContain('Edited')
})

test('a deleted file deletes its published template, but templates of editors are kept', {
  timeout: 180_000,
}, async () => {
  const banner = join(themes, 'templates/default/partial/banner.liquid')
  await writeFile(banner, '<p>New</p>\n')
  await publish()
  await query(
    `INSERT INTO template_elements (key, type, title, source) VALUES ('own', 'page', 'Own', 'x')`,
  )
  await rm(banner)
  const { output } = await publish()
  expect(output).toContain('delete   templates/default/partial/banner.liquid')
  expect(output).toContain('keep     templates/default/page/own.liquid')
  expect(await sourceOf('default', 'banner')).toBeUndefined()
  expect(await sourceOf('default', 'own')).toBe('x')
  await run('site-stage', '--rollback')
  expect(await sourceOf('default', 'banner')).toBe('<p>New</p>\n')
})

test('a template that has changed since the comparison is not overwritten', async () => {
  const live = await readTheme(database.url)
  await query(`UPDATE template_elements SET source = 'edited meanwhile' WHERE key = 'home'`)
  const action = 'publish-theme' as const
  const templates = live.templates.map((template) => ({ ...template, source: 'overwritten' }))
  await expect(
    publishTheme(database.url, { action, expected: live.digest, templates, stylesheets: [] }),
  ).rejects.toThrow('has changed since it was compared')
  expect(await sourceOf('default', 'home')).toBe('edited meanwhile')
})

test.each([
  [['media-stage'], 2, 'media-stage has no templates'],
  [['site-test'], 2, 'Unknown stack "site-test"'],
  [[], 2, '<stack> is missing'],
])('%j is wrong usage', async (args, code, message) => {
  const result = await run(...args)
  expect(result.output).toContain(message)
  expect(result.code).toBe(code)
})
