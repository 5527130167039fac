import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import Client from 'cloudflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putDeclared } from '../../deploy/cloudflare-resources.ts'
import { overrideForLocal } from '../../deploy/stack-overrides.ts'
import { root } from '../../lib/paths.ts'
import { inAccount, readSettings, TOKEN } from '../../testing/cloudflare-client.ts'
import { captureStack } from '../pulumi/capture.ts'
import type { CapturedStack } from '../pulumi/captured-stack.ts'
import type { Properties } from '../pulumi/values.ts'
import { createAccount } from './account.ts'
import { createCloudflareApi } from './cloudflare-api.ts'
import { DRIFT_CASES, databaseOf } from './drift-cases.ts'

const stacks = ['site-stage', 'site-stage-mk2', 'media-stage']
const captures = new Map<string, CapturedStack>()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-drift-'))
  const apiUrls = { 'site-stage': 'http://127.0.0.1:9/' }
  const targets = { folder: root, seed: 'drift', storeUrl: 'http://127.0.0.1:9', apiUrls }
  const findOutputs = (stack: string) => captures.get(stack)?.outputs ?? { values: {}, secrets: [] }
  for (const stack of stacks) {
    const overrides = await overrideForLocal(stack, targets)
    const captured = await captureStack({ ...overrides, stack, findOutputs })
    captures.set(stack, captured)
    await writeFile(join(folder, `${stack}.json`), JSON.stringify(captured.outputs.values))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const outputsOf = (stack: string): Properties => captures.get(stack)?.outputs.values ?? {}

/** Serves the API of an account with the declared resources; returns Cloudflare's client for it. */
async function openAccount({ withUndeclaredFields = false } = {}) {
  const cloudflare = createAccount()
  await putDeclared(cloudflare, [...captures.values()], join(root, 'infra'))
  const api = createCloudflareApi({ cloudflare, token: TOKEN })
  const fetch = async (request: Request) => {
    const response = await api.fetch(request)
    const isJson = response.headers.get('content-type')?.includes('json')
    if (!withUndeclaredFields || !isJson) return response
    return Response.json(addFields(await response.json()), response)
  }
  const server = serve({ fetch, port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseURL = `http://127.0.0.1:${port}/client/v4`
  const client = new Client({ apiToken: TOKEN, baseURL, maxRetries: 0 })
  return { cloudflare, client, baseURL, close: () => server.close() }
}

/** Adds an undeclared field to every object of a response. */
function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, addFields(item)])
  return { ...Object.fromEntries(entries), new_field: 1 }
}

async function runDrift(stack: string, baseURL: string, apiToken = TOKEN) {
  const args = ['ops/drift.ts', stack, '--json', '--outputs', join(folder, `${stack}.json`)]
  const env = {
    PATH: process.env.PATH,
    CLOUDFLARE_BASE_URL: baseURL,
    CLOUDFLARE_API_TOKEN: apiToken,
  }
  const child = spawn(process.execPath, args, { cwd: root, env })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, output, report: JSON.parse(output) }
}

describe('npm run drift', () => {
  it.each(stacks)('finds no difference when nothing was changed: %s', async (stack) => {
    const { baseURL, close } = await openAccount()
    expect(await runDrift(stack, baseURL)).toMatchObject({
      code: 0,
      report: { stack, drift: false, differences: [], unchecked: [] },
    })
    close()
  })

  it.each(stacks)('ignores all undeclared fields: %s', async (stack) => {
    const { client, baseURL, close } = await openAccount({ withUndeclaredFields: true })
    const script = String(outputsOf(stack).scriptName)
    const settings = await readSettings(client, script)
    for (const binding of settings.bindings ?? []) expect(binding).toHaveProperty('new_field', 1)
    expect(settings.limits).toHaveProperty('new_field', 1)
    expect(await runDrift(stack, baseURL)).toMatchObject({
      code: 0,
      report: { drift: false, differences: [], unchecked: [] },
    })
    close()
  })

  it.each(DRIFT_CASES)('finds %s', async (_, stack, expected, change) => {
    const { client, baseURL, close } = await openAccount()
    await change(client, outputsOf)
    const { code, output, report } = await runDrift(stack, baseURL)
    const found = report.differences.map(({ what, name }: Record<string, string>) =>
      `${what} ${name}`.replace(databaseOf(outputsOf, stack), '<id>'),
    )
    expect({ code, found }).toEqual({ code: 7, found: expected })
    // The secrets of a local stack are 48 hexadecimal digits.
    for (const { inputs } of captures.get(stack)?.resources ?? []) {
      for (const secret of JSON.stringify(inputs).match(/[0-9a-f]{48}/g) ?? []) {
        expect(output).not.toContain(secret)
      }
    }
    close()
  })

  it('finds a deleted script', async () => {
    const { client, baseURL, close } = await openAccount()
    await client.workers.scripts.delete('cms-edge-media-stage', inAccount)
    const { code, report } = await runDrift('media-stage', baseURL)
    expect(code).toBe(7)
    expect(report.differences[0]).toMatchObject({ what: 'script', live: 'gone' })
    close()
  })

  it('exits with 2 when it cannot read the live state', async () => {
    const { baseURL, close } = await openAccount()
    expect(await runDrift('site-stage', baseURL, 'a-wrong-token')).toMatchObject({
      code: 2,
      report: { drift: false, unchecked: [expect.stringContaining('403')] },
    })
    close()
    expect((await runDrift('site-stage', 'http://127.0.0.1:9')).code).toBe(2)
  })
})
