import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../infra/environments.ts'
import { putNamespace } from '../emulators/cloudflare/account.ts'
import { root } from '../lib/paths.ts'
import { toErrorMessage } from '../lib/user-error.ts'
import { checkPages } from './pages.ts'
import { openRehearsal, rehearse } from './rehearse.ts'
import type { Rehearsal } from './step.ts'
import { destroy } from './steps.ts'
import { type CliTools, findTools } from './tools.ts'

const TIMEOUT_MS = 300_000
const toolsOrError = await findTools(process.env).catch(toErrorMessage)
const skipReason = typeof toolsOrError === 'string' ? (toolsOrError.split('\n')[0] ?? '') : ''

// Without the CLI all tests are skipped; the title states the reason.
describe.skipIf(skipReason !== '')(`with the Pulumi CLI ${skipReason && `(${skipReason})`}`, () => {
  const tools = toolsOrError as CliTools
  const withoutProvider = { ...tools, provider: { version: '', isInstalled: false } }

  it.each<[Stack, string, CliTools, string]>([
    ['site-stage-mk2', "Cloudflare's provider, if installed", tools, 'The Harbour Post'],
    ['media-stage', 'the emulated provider', withoutProvider, 'stage2.localhost'],
  ])(
    '%s is deployed, changed, repaired and destroyed by %s',
    async (stack, _, cliTools, expected) => {
      await using cleanup = new AsyncDisposableStack()
      const rehearsal = await openRehearsal(cliTools, cleanup)
      const before = await hashStackFiles()
      const results: string[] = []
      await rehearse(rehearsal, stack, async (title, work) => {
        results.push(`${title}: ${await work}`)
      })
      expect(results.join('\n')).toContain(expected)
      expect(countEntries(rehearsal).filter((size) => size > 0)).toEqual([])
      expect(await hashStackFiles()).toEqual(before)
    },
    TIMEOUT_MS,
  )

  describe('an update that ends half-way', () => {
    const cleanup = new AsyncDisposableStack()
    let rehearsal: Rehearsal
    const stack = 'site-stage'
    const run = (args: readonly string[], signal?: AbortSignal) =>
      rehearsal.workspace.pulumi(stack, args, signal)
    const up = ['up', '--yes', '--skip-preview']

    beforeAll(async () => {
      rehearsal = await openRehearsal(tools, cleanup)
      await rehearsal.workspace.init(stack)
    }, TIMEOUT_MS)
    afterAll(() => cleanup.disposeAsync())

    it(
      'by an error is completed by the next one',
      async () => {
        const { cloudflare } = rehearsal.cloud
        putNamespace(cloudflare, 'external', 'cms-edge-worker-stage-kv')
        const failed = await run(up)
        expect(failed.code).not.toBe(0)
        expect(failed.output).toContain('already exists')
        expect(rehearsal.cloud.aws.all()).not.toEqual([])
        cloudflare.namespaces.delete('external')
        await expectComplete()
      },
      TIMEOUT_MS,
    )

    it(
      'because its process was killed is completed by the next one',
      async () => {
        expect((await run(['destroy', '--yes', '--skip-preview'])).code).toBe(0)
        const kill = new AbortController()
        const { scripts } = rehearsal.cloud.cloudflare
        const killed = run(up, kill.signal)
        await expect.poll(() => scripts.size, { timeout: 60_000, interval: 5 }).toBe(1)
        kill.abort()
        expect((await killed).code).toBeNull()
        expect((await run(up)).output).toContain('pulumi cancel')
        expect((await run(['cancel', '--yes'])).code).toBe(0)
        await expectComplete()
      },
      TIMEOUT_MS,
    )

    async function expectComplete() {
      const next = await run(up)
      expect(next, next.output).toMatchObject({ code: 0 })
      expect((await run(['preview', '--expect-no-changes'])).code).toBe(0)
      const { namespaces, scripts, routes, domains, records } = rehearsal.cloud.cloudflare
      const counts = [namespaces, scripts, routes, domains, records].map(({ size }) => size)
      expect(counts).toEqual([1, 1, 1, 0, 1])
      const urns = rehearsal.cloud.aws.all().map(({ urn }) => urn)
      expect(urns).toEqual([...new Set(urns)])
      expect(await checkPages(rehearsal.cloud, stack)).toContain('The Harbour Post')
    }
  })

  describe('with the URL of another service in the stack file', () => {
    const cleanup = new AsyncDisposableStack()
    const called: string[] = []
    let folder: string
    let listener: string

    beforeAll(async () => {
      const server = createServer((request, response) => {
        called.push(`${request.method} ${request.url}`)
        response.writeHead(500).end()
      }).listen(0, '127.0.0.1')
      cleanup.defer(async () => void server.close())
      await once(server, 'listening')
      const address = server.address()
      listener = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/client/v4`
      folder = await mkdtemp(join(tmpdir(), 'cms-edge-hostile-'))
      cleanup.defer(() => rm(folder, { recursive: true }))
    })
    afterAll(() => cleanup.disposeAsync())

    /** Copies the project's files, with a line added to the config of the stack and of the project. */
    async function writeFiles(line: string): Promise<void> {
      for (const file of ['Pulumi.yaml', 'Pulumi.site-stage.yaml']) {
        const content = await readFile(join(root, file), 'utf8')
        await writeFile(join(folder, file), content.replace(/^config:$/m, `config:\n  ${line}`))
      }
    }

    it(
      'as a provider setting, the rehearsal does not call it',
      async () => {
        await writeFiles(`cloudflare:baseUrl: ${listener}`)
        const rehearsal = await openRehearsal(tools, cleanup, folder)
        await rehearsal.workspace.init('site-stage')
        for (const args of [['preview'], ['up', '--yes', '--skip-preview'], ['refresh', '--yes']]) {
          const { code, output } = await rehearsal.workspace.pulumi('site-stage', args)
          expect(code, output).toBe(0)
        }
        expect(rehearsal.cloud.cloudflare.scripts.size).toBe(1)
        expect(called).toEqual([])
      },
      TIMEOUT_MS,
    )

    it(
      'as a setting of the program, the rehearsal rejects it before the CLI runs',
      async () => {
        await writeFiles(`cms-edge:WEBHOOK_URL: ${listener}`)
        const rehearsal = await openRehearsal(tools, cleanup, folder)
        await expect(rehearsal.workspace.init('site-stage')).rejects.toThrow(
          `cms-edge:WEBHOOK_URL is ${listener}, which is not a URL of this rehearsal`,
        )
        expect(called).toEqual([])
      },
      TIMEOUT_MS,
    )
  })

  it(
    'a prod stack is not destroyed, and responds as before',
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const rehearsal = await openRehearsal(tools, cleanup)
      const { workspace, cloud } = rehearsal
      for (const stack of ['site-stage', 'site-prod'] as const) {
        await workspace.init(stack)
        const { code, output } = await workspace.pulumi(stack, ['up', '--yes', '--skip-preview'])
        expect(code, output).toBe(0)
      }
      const before = [countEntries(rehearsal), cloud.aws.all().length]
      expect(await destroy.run(rehearsal, 'site-prod')).toContain('Meridian')
      expect([countEntries(rehearsal), cloud.aws.all().length]).toEqual(before)
    },
    TIMEOUT_MS,
  )

  it(
    'neither the state nor the output contains a secret',
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const rehearsal = await openRehearsal(tools, cleanup)
      const { workspace, cloud } = rehearsal
      await workspace.init('site-stage')
      const { code, output } = await workspace.pulumi('site-stage', ['up', '--yes', '--diff'])
      expect(code, output).toBe(0)
      const secrets = [...cloud.cloudflare.scripts.values()].flatMap(({ bindings }) =>
        bindings.flatMap((each) => (each.type === 'secret_text' ? [each.text] : [])),
      )
      expect(secrets).toHaveLength(2)
      const state = await readAll(workspace.folder)
      for (const secret of secrets) {
        const digest = createHash('sha256').update(secret).digest('hex')
        for (const plain of [secret, digest]) expect(`${output}${state}`).not.toContain(plain)
      }
    },
    TIMEOUT_MS,
  )
})

function countEntries({ cloud }: Rehearsal): number[] {
  return Object.values(cloud.cloudflare).map((entries) => entries.size)
}

async function hashStackFiles(): Promise<string> {
  const files = (await readdir(root)).filter((name) => name.startsWith('Pulumi.')).toSorted()
  const contents = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))
  return createHash('sha256').update(contents.join('\n')).digest('hex')
}

async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const contents = files.map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(contents)).join('\n')
}
