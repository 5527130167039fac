import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashFolder } from './bundle.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-folder-'))
  await mkdir(join(folder, 'harbour/articles'), { recursive: true })
  await write('harbour/site.yaml', 'title: The Harbour Post')
  await write('harbour/articles/a.md', 'Good morning')
})

afterEach(() => rm(folder, { recursive: true }))

const write = (file: string, text: string) => writeFile(join(folder, file), text)

const CHANGES: Record<string, () => Promise<void>> = {
  'the text of a file in a subfolder': () => write('harbour/articles/a.md', 'Good evening'),
  'an added file': () => write('harbour/articles/b.md', ''),
  'a removed file': () => rm(join(folder, 'harbour/site.yaml')),
  'the name of a file': () =>
    rename(join(folder, 'harbour/articles/a.md'), join(folder, 'harbour/articles/b.md')),
  'the folder of a file': () =>
    rename(join(folder, 'harbour/articles/a.md'), join(folder, 'harbour/a.md')),
}

test.each(Object.entries(CHANGES))('the hash of a folder changes with %s', async (_, change) => {
  const before = await hashFolder(folder)
  expect(await hashFolder(folder)).toBe(before)
  await change()
  expect(await hashFolder(folder)).not.toBe(before)
})
