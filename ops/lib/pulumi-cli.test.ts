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

/** Writes a program `pulumi` that prints `output`, to stderr if `code` is not 0, and exits with `code`. */
async function install(subfolder: string, output: string, code = 0): Promise<string> {
  const path = join(folder, subfolder, 'pulumi')
  await mkdir(join(folder, subfolder), { recursive: true })
  await writeFile(path, `#!/bin/sh\necho "${output}" >&${code === 0 ? 1 : 2}\nexit ${code}\n`)
  await chmod(path, 0o755)
  return path
}
const toPath = (...subfolders: string[]) => ({
  PATH: [...subfolders.map((name) => join(folder, name)), '/usr/bin', '/bin'].join(delimiter),
})

test('a CLI on PATH is preferred to the wrapper of npm, even if the wrapper is first', async () => {
  const wrapper = await install('node_modules/.bin', 'v3.265.0')
  const real = await install('bin', 'v3.260.0')
  const cli = await requirePulumi(toPath('node_modules/.bin', 'bin'), wrapper)
  expect(cli).toEqual({ path: real, version: '3.260.0' })
  expect(describeCli(cli)).toBe(`Using Pulumi 3.260.0 (${real}).`)
  expect(await runCli(cli.path, ['preview'])).toMatchObject({ code: 0, out: 'v3.260.0\n' })
})

test('a link to the wrapper is treated like the wrapper', async () => {
  const wrapper = await install('node_modules/pulumi', 'v3.265.0')
  await mkdir(join(folder, 'bin'))
  await symlink(wrapper, join(folder, 'bin/pulumi'))
  expect(await requirePulumi(toPath('bin'), wrapper)).toMatchObject({ path: wrapper })
})

test.each([
  ['a CLI that is too old', 'v3.225.1'],
  ['a CLI of another major version', 'v4.0.0'],
  ['a program without a version', 'hello'],
])('%s is not used', async (_, output) => {
  const wrapper = await install('node_modules/pulumi', 'v3.265.0')
  await install('old', output)
  const suitable = await install('new', 'v3.226.0')
  expect(await requirePulumi(toPath('old', 'new'), wrapper)).toMatchObject({ path: suitable })
  expect(await requirePulumi(toPath('old'), wrapper)).toMatchObject({ path: wrapper })
})

test('without a suitable CLI, the message lists all that were found, with reasons', async () => {
  const old = await install('old', 'v3.100.0')
  const wrapper = await install('node_modules/pulumi', 'pulumi: no network', 1)
  const error = await requirePulumi(toPath('old'), wrapper).catch(String)
  expect(error).toContain('pulumi.com/docs/install')
  expect(error).toContain(`${old}: version 3.100.0`)
  expect(error).toContain(`${wrapper}: pulumi: no network`)
})
