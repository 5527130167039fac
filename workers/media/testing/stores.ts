import { AwsClient } from 'aws4fetch'
import type { Holder } from './cases.ts'

export type Credential = { accessKeyId: string; secretAccessKey: string }

/** A store to test against: one bucket, an editor who writes, and readers with less and less rights. */
export type TestStore = {
  bucket: string
  region: string
  credentials: Record<Holder | 'editor', Credential>
}

const secret = (letter: string) => letter.repeat(40)

export const TEST_STORE: TestStore = {
  bucket: 'cms-edge-media-test',
  region: 'eu-central-1',
  credentials: {
    editor: { accessKeyId: 'AKIAEDITOR', secretAccessKey: secret('e') },
    reader: { accessKeyId: 'AKIAREADER', secretAccessKey: secret('r') },
    blind: { accessKeyId: 'AKIABLIND', secretAccessKey: secret('b') },
    revoked: { accessKeyId: 'AKIAREVOKED', secretAccessKey: secret('x') },
    impostor: { accessKeyId: 'AKIAREADER', secretAccessKey: secret('i') },
  },
}

/** The rights of those credentials that the store knows. */
export const RIGHTS = {
  AKIAEDITOR: { secret: secret('e'), read: true, list: true, write: true },
  AKIAREADER: { secret: secret('r'), read: true, list: true, write: false },
  AKIABLIND: { secret: secret('b'), read: true, list: false, write: false },
}

/** A signed PUT of an object, for a store at `origin`. */
export function signUpload(
  origin: string,
  key: string,
  body: string,
  contentType: string,
): Promise<Request> {
  const { bucket, region, credentials } = TEST_STORE
  const client = new AwsClient({ ...credentials.editor, service: 's3', region })
  const path = encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, toHex)
  const headers = { 'content-type': contentType }
  return client.sign(`${origin}/${bucket}/${path}`, { method: 'PUT', body, headers })
}

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
