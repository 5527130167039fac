import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCli, requirePulumi, runCli } from './pulumi-cli.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-cli-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A program named `pulumi` in a folder below, which prints `output`. */
async function install(place: string, output: string, code = 0): Promise<string> {
  const path = join(folder, place, 'pulumi')
  await mkdir(join(folder, place), { recursive: true })
  await writeFile(path, `#!/bin/sh\necho "${output}" >&${code === 0 ? 1 : 2}\nexit ${code}\n`)
  await chmod(path, 0o755)
  return path
}
const toPath = (...places: string[]) => ({
  PATH: [...places.map((place) => join(folder, place)), '/usr/bin', '/bin'].join(delimiter),
})

test('a CLI on PATH is preferred to the wrapper that npm puts before it', async () => {
  const wrapper = await install('node_modules/.bin', 'v3.265.0')
  const real = await install('bin', 'v3.260.0')
  const cli = await requirePulumi(toPath('node_modules/.bin', 'bin'), wrapper)
  expect(cli).toEqual({ path: real, version: '3.260.0' })
  expect(describeCli(cli)).toBe(`Using Pulumi 3.260.0 (${real}).`)
  expect(await runCli(cli.path, ['preview'])).toMatchObject({ code: 0, out: 'v3.260.0\n' })
})

test('a link to the wrapper is no CLI of its own', async () => {
  const wrapper = await install('node_modules/pulumi', 'v3.265.0')
  await mkdir(join(folder, 'bin'))
  await symlink(wrapper, join(folder, 'bin/pulumi'))
  expect(await requirePulumi(toPath('bin'), wrapper)).toMatchObject({ path: wrapper })
})

test.each([
  ['one that is too old', 'v3.225.1'],
  ['one of another major version', 'v4.0.0'],
  ['one that is no CLI', 'hello'],
])('%s is passed over', async (_, output) => {
  const wrapper = await install('node_modules/pulumi', 'v3.265.0')
  await install('old', output)
  const good = await install('good', 'v3.226.0')
  expect(await requirePulumi(toPath('old', 'good'), wrapper)).toMatchObject({ path: good })
  expect(await requirePulumi(toPath('old'), wrapper)).toMatchObject({ path: wrapper })
})

test('where none can be used the message names each with its reason', async () => {
  const old = await install('old', 'v3.100.0')
  const wrapper = await install('node_modules/pulumi', 'pulumi: no network', 1)
  const error = await requirePulumi(toPath('old'), wrapper).catch(String)
  expect(error).toContain('pulumi.com/docs/install')
  expect(error).toContain(`${old}: version 3.100.0`)
  expect(error).toContain(`${wrapper}: pulumi: no network`)
})
