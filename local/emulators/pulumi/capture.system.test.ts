import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../../lib/paths.ts'
import { type CaptureOptions, captureStack } from './capture.ts'
import { openCaptureCache } from './capture-cache.ts'
import type { CapturedStack, Resource } from './captured-stack.ts'
import { type Runner, startRunner } from './runner.ts'
import { UNKNOWN } from './values.ts'

const folder = fileURLToPath(new URL('../../testing/program', import.meta.url))
const capture = (options: Partial<CaptureOptions> = {}) =>
  captureStack({ stack: 'first', folder, secrets: { SECRET: 'from the test' }, ...options })

describe('a capture', () => {
  it('contains inputs, options, secrets and computed outputs', async () => {
    const captured = await capture()
    const script = findResource(captured, 'script')
    const key = findResource(captured, 'key')
    const kv = findResource(captured, 'kv')
    expect(script.inputs.bindings).toEqual([
      { name: 'GREETING', type: 'plain_text', text: 'hello' },
      { name: 'KEY', type: 'secret_text', text: key.outputs.secret },
      { name: 'KV', type: 'kv_namespace', namespaceId: kv.id },
    ])
    expect(script.secretPaths).toEqual(['bindings[1].text'])
    expect(script.options.dependsOn).toEqual(expect.arrayContaining([key.urn, kv.urn]))
    expect(kv.options.protect).toBe(true)
    expect(captured.outputs).toEqual({
      values: { greeting: 'hello', secret: 'from the test' },
      secrets: ['secret'],
    })
  })

  it('is the same each time for the same seed', async () => {
    const [one, same, other] = await Promise.all([
      capture(),
      capture(),
      capture({ stubContext: { seed: 'another' } }),
    ])
    expect(one).toEqual(same)
    expect(findResource(other, 'key').outputs.secret).not.toBe(
      findResource(one, 'key').outputs.secret,
    )
  })

  it('of a preview has unknown values where only a deployment computes them', async () => {
    const script = findResource(await capture({ preview: true }), 'script')
    expect(script.inputs.bindings).toContainEqual({
      name: 'KV',
      type: 'kv_namespace',
      namespaceId: UNKNOWN,
    })
  })

  it.each([
    [
      'an unknown type',
      { config: { UNKNOWN_TYPE: 'true' } },
      /does not support the resource type cloudflare:index\/zoneSetting:ZoneSetting \(of "zone"\)/,
    ],
    [
      'an unknown data source',
      { config: { UNKNOWN_DATA_SOURCE: 'true' } },
      /does not support the data source cloudflare:index\/getZone:getZone/,
    ],
    [
      'the error of the program',
      { config: { THROW: 'true' } },
      /^Stack first: Error: the program cannot go on$/,
    ],
    [
      'an unknown reference',
      { config: { REFERS_TO: 'unknown' } },
      /Stack first refers to stack unknown/,
    ],
    ['a broken stack file', { stack: 'broken' }, /Pulumi\.broken\.yaml is not a valid stack file/],
    ['a missing stack file', { stack: 'missing' }, /Pulumi\.missing\.yaml cannot be read/],
  ])('fails with a message that names %s', async (_, options, message) => {
    await expect(capture(options)).rejects.toThrow(message)
  })

  it('fails when the process that runs programs has ended', async () => {
    const runner = startRunner(folder)
    await runner.stop()
    await expect(capture({ runner })).rejects.toThrow(/^Stack first: /)
  })
})

describe('a capture cache', () => {
  const temporary: string[] = []
  const runners: Runner[] = []
  afterAll(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    await Promise.all(temporary.map((path) => rm(path, { recursive: true, force: true })))
  })

  const openCache = async (secret: string, cacheDir?: string, programFolder = folder) => {
    const dir = cacheDir ?? (await mkdtemp(join(tmpdir(), 'cms-edge-captures-')))
    temporary.push(dir)
    const stacksRun: string[] = []
    const runner = startRunner(programFolder)
    runners.push(runner)
    const cache = openCaptureCache({
      folder: programFolder,
      sources: ['Pulumi.yaml', 'index.ts'],
      programDir: '.',
      cacheDir: dir,
      getRunner: () => ({
        ...runner,
        run(request) {
          stacksRun.push(request.stack)
          return runner.run(request)
        },
      }),
      targets: secret,
      configure: async (stack) => (stack === 'first' ? { secrets: { SECRET: secret } } : {}),
    })
    return { ...cache, stacksRun, dir }
  }

  it('captures referenced stacks first, and keeps all captures until something changes', async () => {
    const first = await openCache('one')
    const { outputs } = await first.capture('second')
    expect(outputs.values).toMatchObject({ greeting: 'servus', referred: 'one' })
    expect(first.captured()).toEqual(['second', 'first'])

    const again = await openCache('one', first.dir)
    expect((await again.capture('second')).outputs).toEqual(outputs)
    expect(again.stacksRun).toEqual([])

    const changed = await openCache('two', first.dir)
    expect((await changed.capture('second')).outputs.values.referred).toBe('two')
    expect(changed.stacksRun).toEqual(['first', 'second'])
  })

  it('runs the program again only for the stack whose file changed', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'cms-edge-program-'))
    temporary.push(copy)
    await cp(folder, copy, { recursive: true })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    const first = await openCache('one', undefined, copy)
    await first.capture('second')

    const stackFile = 'config:\n  recorded:REFERS_TO: first\n  recorded:GREETING: moin\n'
    await writeFile(join(copy, 'Pulumi.second.yaml'), stackFile)
    const changed = await openCache('one', first.dir, copy)
    expect((await changed.capture('second')).outputs.values.greeting).toBe('moin')
    expect(changed.stacksRun).toEqual(['second'])
  })

  it('rejects stacks that refer to each other', async () => {
    const { capture } = await openCache('one')
    await expect(capture('third')).rejects.toThrow(/refer to each other/)
  })
})

function findResource({ resources }: CapturedStack, name: string): Resource {
  const found = resources.find((resource) => resource.name === name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}
