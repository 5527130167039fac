import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type CaptureOptions, captureStack } from './capture.ts'
import { openCaptureCache } from './capture-cache.ts'
import type { CapturedStack, Resource } from './captured-stack.ts'
import { type Runner, startRunner } from './runner.ts'
import { UNKNOWN } from './values.ts'

const folder = fileURLToPath(new URL('../../testing/program', import.meta.url))
const record = (options: Partial<CaptureOptions> = {}) =>
  captureStack({ stack: 'first', folder, secrets: { SECRET: 'from the test' }, ...options })

describe('a capture', () => {
  it('contains inputs, options, secrets and computed outputs', async () => {
    const captured = await record()
    const script = find(captured, 'script')
    const key = find(captured, 'key')
    const kv = find(captured, 'kv')
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

  it('depends on the seed and on nothing random', async () => {
    const [one, same, other] = await Promise.all([
      record(),
      record(),
      record({ stubContext: { seed: 'another' } }),
    ])
    expect(one).toEqual(same)
    expect(find(other, 'key').outputs.secret).not.toBe(find(one, 'key').outputs.secret)
  })

  it('has unknown values in a preview where only a deployment computes them', async () => {
    const script = find(await record({ preview: true }), 'script')
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
      'what the program throws',
      { config: { THROW: 'true' } },
      /^Stack first: Error: the program cannot go on$/,
    ],
    [
      'an unknown reference',
      { config: { REFERS_TO: 'elsewhere' } },
      /Stack first refers to stack elsewhere/,
    ],
    ['a broken stack file', { stack: 'broken' }, /Pulumi\.broken\.yaml is not a valid stack file/],
    ['a missing stack file', { stack: 'missing' }, /Pulumi\.missing\.yaml cannot be read/],
  ])('fails by naming %s', async (_, options, message) => {
    await expect(record(options)).rejects.toThrow(message)
  })
})

describe('a capture cache', () => {
  const caches: string[] = []
  const runners: Runner[] = []
  afterAll(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    await Promise.all(caches.map((cache) => rm(cache, { recursive: true, force: true })))
  })

  const open = async (context: string, cacheDir?: string) => {
    const dir = cacheDir ?? (await mkdtemp(join(tmpdir(), 'cms-edge-captures-')))
    caches.push(dir)
    const configured: string[] = []
    let runner: Runner | undefined
    const getRunner = () => {
      runner ??= startRunner(folder)
      runners.push(runner)
      return runner
    }
    const library = openCaptureCache({
      folder,
      sources: ['index.ts'],
      programDir: '.',
      cacheDir: dir,
      context,
      getRunner,
      async configure(stack) {
        configured.push(stack)
        return stack === 'first' ? { secrets: { SECRET: context } } : {}
      },
    })
    return { ...library, configured, dir }
  }

  it('captures referenced stacks first, and keeps all captures until something changes', async () => {
    const first = await open('one')
    const { outputs } = await first.capture('second')
    expect(outputs.values).toMatchObject({ greeting: 'servus', referred: 'one' })
    expect(first.captured()).toEqual(['second', 'first'])

    const again = await open('one', first.dir)
    expect((await again.capture('second')).outputs).toEqual(outputs)
    expect(again.configured).toEqual([])

    const changed = await open('two', first.dir)
    expect((await changed.capture('second')).outputs.values.referred).toBe('two')
  })

  it('rejects stacks that refer to each other', async () => {
    const { capture } = await open('one')
    await expect(capture('third')).rejects.toThrow(/refer to each other/)
  })
})

function find({ resources }: CapturedStack, name: string): Resource {
  const found = resources.find((resource) => resource.name === name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}
