import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const execute = promisify(execFile)

/** Stand-in for the Pulumi CLI, which masks secrets except with --show-secrets. */
const pulumi = `#!/bin/sh
case "$*" in
  version) echo v3.260.0 ;;
  *--show-secrets*) echo '{"key": "shown"}' ;;
  *media-prod*) echo "error: no stack named 'media-prod' found" >&2; exit 255 ;;
  *) echo '{"key": "[secret]", "routes": ["a/*", "b/*"], "bindings": [{"name": "KV", "type": "kv"}]}' ;;
esac
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-outputs-'))
  await writeFile(join(folder, 'pulumi'), pulumi, { mode: 0o755 })
})

afterAll(() => rm(folder, { recursive: true }))

async function printOutputs(...args: string[]): Promise<string> {
  const command = join(import.meta.dirname, 'outputs.ts')
  const env = { PATH: `${folder}:/usr/bin:/bin` }
  return (await execute(process.execPath, [command, ...args], { env })).stdout
}

test('prints one row per value, or JSON, with masked secrets', async () => {
  expect(await printOutputs('site-stage')).toBe(
    'key       [secret]\nroutes    a/*\n          b/*\nbindings  name=KV  type=kv\n',
  )
  expect(JSON.parse(await printOutputs('site-stage', '--json'))).toMatchObject({
    key: '[secret]',
    bindings: [{ name: 'KV' }],
  })
})

test('prints the version and path of the CLI to stderr', async () => {
  const command = join(import.meta.dirname, 'outputs.ts')
  const env = { PATH: `${folder}:/usr/bin:/bin` }
  const { stderr } = await execute(process.execPath, [command, 'site-stage'], { env })
  expect(stderr).toBe(`Using Pulumi 3.260.0 (${join(folder, 'pulumi')}).\n`)
})

test.each([
  ['a stack that is not deployed', 'media-prod', "no stack named 'media-prod' found"],
  ['a stack that does not exist', 'media-test', 'media-stage, media-prod'],
])('fails with a reason for %s', async (_, stack, message) => {
  await expect(printOutputs(stack)).rejects.toThrow(message)
})
