import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../prisma/test-database.ts'
import { reloadTemplates } from './templates.ts'

let database: TestDatabase
let client: pg.Client
let folder: string

beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-templates-'))
})
afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Saves files of `themes/templates/` and reloads them. */
async function saveAndReload(files: Record<string, string>): Promise<void> {
  const paths = Object.keys(files).map((name) => `themes/templates/${name}`)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'themes/templates', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  await reloadTemplates(paths, [database.url], folder)
}

const DEFAULT = 'default/page/masthead.liquid'
const readElements = async () =>
  (await client.query('SELECT key, type, title, source FROM template_elements')).rows
const readBlocks = async () =>
  (await client.query('SELECT theme, language, source FROM template_blocks')).rows

test('a new default is added with its title, and updated when it is saved again', async () => {
  await saveAndReload({ [DEFAULT]: '---\ntitle: Masthead\n---\nEditors' })
  const added = { key: 'masthead', type: 'page', title: 'Masthead', source: 'Editors' }
  expect(await readElements()).toEqual([added])
  await saveAndReload({ [DEFAULT]: '---\ntitle: The masthead\n---\nEditors' })
  expect(await readElements()).toEqual([{ ...added, title: 'The masthead' }])
  await saveAndReload({ [DEFAULT]: '---\ntitle: The masthead\n---\nAll editors' })
  expect(await readElements()).toEqual([{ ...added, title: 'The masthead', source: 'All editors' }])
})

test('a new template of a theme may be saved together with its default', async () => {
  await saveAndReload({ 'calm/page/masthead.de.liquid': 'Redaktion', [DEFAULT]: 'Editors' })
  expect(await readBlocks()).toEqual([{ theme: 'calm', language: 'de', source: 'Redaktion' }])
})

test.each([
  ['default/page/masthead.de.liquid', 'a default is for all languages'],
  ['calm/page/unknown.liquid', 'the default "unknown" does not exist'],
  ['sites/gazette/page/unknown.liquid', 'the default "unknown" does not exist'],
])('%s is an error, and changes no row', async (file, message) => {
  await saveAndReload({ [DEFAULT]: 'Editors' })
  await expect(saveAndReload({ [file]: 'Redaktion' })).rejects.toThrow(
    `themes/templates/${file}: ${message}`,
  )
  expect(await readElements()).toMatchObject([{ source: 'Editors' }])
  expect(await readBlocks()).toEqual([])
})
