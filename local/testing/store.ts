import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Action, Policy } from '../emulators/s3/policy.ts'
import { startStore } from '../emulators/s3/server.ts'

type Credential = { accessKeyId: string; secretAccessKey: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** An object store with one bucket; `cannotList` can read objects but not list them. */
    store: { url: string; bucket: string } & Record<'editor' | 'reader' | 'cannotList', Credential>
  }
}

const BUCKET = 'cms-edge-media-test'

/** Starts one object store for all tests; returns a function that stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(tmpdir(), `cms-edge-store-${randomBytes(8).toString('hex')}`)
  const store = await startStore({ folder, port: 0 })
  await store.open(BUCKET)
  const addCredential = (accessKeyId: string, ...actions: Action[]): Credential => {
    const credential = { accessKeyId, secretAccessKey: randomBytes(20).toString('hex') }
    store.addCredential({ ...credential, policies: [allow(actions)] })
    return credential
  }
  project.provide('store', {
    url: store.url,
    bucket: BUCKET,
    editor: addCredential(
      'AKIAEDITOR',
      's3:PutObject',
      's3:DeleteObject',
      's3:GetObject',
      's3:ListBucket',
    ),
    reader: addCredential('AKIAREADER', 's3:GetObject', 's3:ListBucket'),
    cannotList: addCredential('AKIACANNOTLIST', 's3:GetObject'),
  })
  return async () => {
    await store.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function allow(actions: Action[]): Policy {
  const resource = `arn:aws:s3:::${BUCKET}`
  return Policy.parse({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: [resource, `${resource}/*`] }],
  })
}
