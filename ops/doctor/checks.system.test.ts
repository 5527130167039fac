import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { putRecord, putRoute, putScript } from '../../local/emulators/cloudflare/account.ts'
import { ZONE_ID } from '../testing/deployment-target.ts'
import {
  dnsRecord,
  HOST,
  openReadyStack,
  type ReadyStack,
  script,
  type TestedStack,
} from '../testing/ready-stack.ts'
import { checkStack } from './checks.ts'
import { type Finding, toExitCode, toReport } from './findings.ts'

let target: ReadyStack
afterEach(() => target.close())

const check = (stack: TestedStack) => checkStack(stack, target.env, target.folder)
const find = (findings: readonly Finding[], name: string) =>
  findings.find((finding) => finding.check === name)

describe.each<TestedStack>(['site-stage', 'site-stage-mk2', 'media-stage'])('%s', (stack) => {
  test('is ready when every check passes', async () => {
    target = await openReadyStack(stack)
    const findings = await check(stack)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(toExitCode(findings)).toBe(0)
    expect(toReport(stack, findings)).toMatch(new RegExp(`\\n\\n${stack} is ready\\.$`))
  })

  test('reports what each check needs when nothing is set up', async () => {
    target = await openReadyStack(stack)
    const env = { PATH: '/nonexistent' }
    const findings = await checkStack(stack, env, target.folder)
    const passed = findings.filter(({ state }) => state === 'ok').map((each) => each.check)
    expect(passed).toEqual(stack === 'site-stage-mk2' ? ['AWS'] : [])
    for (const { state, detail, fixes } of findings) {
      if (state === 'failed') expect(fixes.length).toBeGreaterThan(0)
      if (state === 'unchecked') expect(detail).toMatch(/^needs /)
    }
    expect(toExitCode(findings)).toBe(1)
  })
})

test('deployed resources of the stack and of its media stack are no conflict', async () => {
  target = await openReadyStack('site-stage')
  const { cloudflare, aws } = target
  putScript(cloudflare, 'cms-edge-worker-stage', script)
  putScript(cloudflare, 'cms-edge-media-stage', script)
  const own = { zoneId: ZONE_ID, pattern: `${HOST}/*`, script: 'cms-edge-worker-stage' }
  putRoute(cloudflare, 'own', own)
  const media = { zoneId: ZONE_ID, pattern: `${HOST}/cmp-media/*`, script: 'cms-edge-media-stage' }
  putRoute(cloudflare, 'media', media)
  putRecord(cloudflare, 'record', { ...dnsRecord, type: 'AAAA', content: '100::', proxied: true })
  aws.concurrency = 105
  aws.reserved.set('cms-edge-api-stage', 5)
  expect((await check('site-stage')).filter(({ state }) => state !== 'ok')).toEqual([])
})

test('an existing bucket of the same account is no conflict', async () => {
  target = await openReadyStack('media-stage')
  target.aws.buckets.set('news-media', target.aws.id)
  expect(find(await check('media-stage'), 'Bucket name')?.detail).toBe(
    'news-media belongs to this account',
  )
})

test("when Cloudflare's API is down, the token is `unchecked` and the exit code is 2", async () => {
  target = await openReadyStack('site-stage')
  target.env.CLOUDFLARE_BASE_URL = 'http://127.0.0.1:9'
  const findings = await check('site-stage')
  expect(find(findings, 'Cloudflare token')?.state).toBe('unchecked')
  expect(toExitCode(findings)).toBe(2)
})

test('the checks change nothing', async () => {
  target = await openReadyStack('site-stage')
  const before = structuredClone(target.cloudflare)
  const file = await readFile(join(target.folder, 'Pulumi.site-stage.yaml'), 'utf8')
  await check('site-stage')
  expect(target.cloudflare).toEqual(before)
  expect(await readFile(join(target.folder, 'Pulumi.site-stage.yaml'), 'utf8')).toBe(file)
})
