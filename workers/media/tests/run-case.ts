import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Case, Step } from './case.ts'
import { TEXT } from './cases/shared.ts'
import type { Bed, Holder, Reply, Seen } from './harness.ts'

// The store's voice, and the worker's own mark on what it caches.
const SILENCED: Seen = {
  server: null,
  'set-cookie': null,
  'x-amz-id-2': null,
  'x-amz-request-id': null,
  'cms-media-stored': null,
}
const WAIT = { timeout: 5000 }
let runs = 0

/** Runs one case on a bed: what it stores is under names of its own. */
export async function runCase(bed: Bed, row: Case): Promise<void> {
  const holder = row.holder ?? 'reader'
  const key = `case-${runs++}/${row.key ?? 'object'}`
  const path = `/cmp-media/${encodeURI(key)}`
  const object = row.object === undefined ? TEXT : row.object
  if (object) await bed.upload(key, object.body, object.contentType)
  if (row.planted) await bed.plant(holder, path, row.planted)
  for (const step of row.steps) await runStep(bed, holder, path, step)
}

async function runStep(bed: Bed, holder: Holder, path: string, step: Step): Promise<void> {
  const askedBefore = bed.countAsked()
  bed.setFault(step.fault)
  const sent = bed.send(holder, { ...step.send, path: path + (step.send?.path ?? '') })
  if (step.status === 'broken off') {
    await expect(sent).rejects.toThrow()
    if (!step.atOnce) await sleep(500)
  } else expectReply(await sent, step)
  if (step.atOnce) return
  if (await sent.then(isPromised, () => false)) {
    await vi.waitUntil(() => bed.isCached(holder, path), WAIT)
  }
  await bed.settled()
  bed.setFault(undefined)
  if (step.cached !== undefined) expect(await bed.isCached(holder, path)).toBe(step.cached)
  if (step.asked !== undefined) expect(bed.countAsked() - askedBefore).toBe(step.asked)
}

function expectReply(reply: Reply, { status, body = reply.body, headers }: Step): void {
  expect(reply).toMatchObject({ status, body })
  expectHeaders(reply.headers, { ...headers, ...SILENCED })
  expect(reply.body).not.toMatch(/<Code>|store's own words/)
}

function isPromised({ headers }: Reply): boolean {
  return /; stored|fetched-behind/.test(headers.get('cache-status') ?? '')
}

function expectHeaders(headers: Headers, seen: Seen): void {
  for (const [name, value] of Object.entries(seen)) {
    const expected = value instanceof RegExp ? expect.stringMatching(value) : value
    expect({ [name]: headers.get(name) }).toEqual({ [name]: expected })
  }
}
