import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Case, Step } from './case.ts'
import { TEXT } from './cases/shared.ts'
import type { Credential, ExpectedHeaders, Harness, Reply } from './harness.ts'

// Headers that a response must not have: those of the store, and one of the cache entries.
const INTERNAL_HEADERS: ExpectedHeaders = {
  server: null,
  'set-cookie': null,
  'x-amz-id-2': null,
  'x-amz-request-id': null,
  'cms-media-stored': null,
}
const WAIT = { timeout: 5000 }
let runs = 0

/** Runs one case on a harness, with a key that no other case uses. */
export async function runCase(harness: Harness, testCase: Case): Promise<void> {
  const credential = testCase.credential ?? 'reader'
  const key = `case-${runs++}/${testCase.key ?? 'object'}`
  const path = `/cmp-media/${encodeURI(key)}`
  const object = testCase.object === undefined ? TEXT : testCase.object
  if (object) await harness.upload(key, object.body, object.contentType)
  if (testCase.seeded) await harness.seedCache(credential, path, testCase.seeded)
  for (const step of testCase.steps) {
    if (step.replacement !== undefined) {
      await harness.upload(key, step.replacement, object?.contentType ?? '')
    }
    await runStep(harness, credential, path, step)
  }
}

async function runStep(
  harness: Harness,
  credential: Credential,
  path: string,
  step: Step,
): Promise<void> {
  const readsBefore = harness.countStoreReads()
  harness.setFault(step.fault)
  const sent = harness.send(credential, { ...step.send, path: path + (step.send?.path ?? '') })
  if (step.status === 'broken off') {
    await expect(sent).rejects.toThrow()
    // Nothing shows when a failed fill of the cache has ended.
    if (!step.skipsWaiting) await sleep(500)
  } else expectReply(await sent, step)
  if (step.skipsWaiting) return
  if (await sent.then(isStored, () => false)) {
    await vi.waitUntil(() => harness.isCached(credential, path), WAIT)
  }
  await harness.finishBackgroundWork()
  harness.setFault(undefined)
  if (step.cached !== undefined) expect(await harness.isCached(credential, path)).toBe(step.cached)
  if (step.storeReads !== undefined)
    expect(harness.countStoreReads() - readsBefore).toBe(step.storeReads)
}

function expectReply(reply: Reply, { status, body = reply.body, headers }: Step): void {
  expect(reply.status).toBe(status)
  expect(shorten(reply.body)).toBe(shorten(body))
  expectHeaders(reply.headers, { ...headers, ...INTERNAL_HEADERS })
  expect(reply.body).not.toMatch(/<Code>|details from the store/)
}

// Shortens long bodies, because a difference of megabytes is unreadable.
function shorten(body: string): string {
  if (body.length <= 1000) return body
  const digest = createHash('sha256').update(body).digest('hex')
  return `${body.slice(0, 32)}… ${body.length} bytes, SHA-256 ${digest}`
}

function isStored({ headers }: Reply): boolean {
  return /; stored/.test(headers.get('cache-status') ?? '')
}

function expectHeaders(headers: Headers, expectedHeaders: ExpectedHeaders): void {
  for (const [name, value] of Object.entries(expectedHeaders)) {
    const expected = value instanceof RegExp ? expect.stringMatching(value) : value
    expect({ [name]: headers.get(name) }).toEqual({ [name]: expected })
  }
}
