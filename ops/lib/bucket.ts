import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { toBucketUrl } from '../../contract/constants.ts'
import type { StoredObject } from '../../themes/assets.ts'
import { AWS_LOGIN, readCredentials } from './aws.ts'

export interface BucketAddress {
  bucket: string
  region: string
  /** Origin of an S3-compatible store, with `{bucket}` where the host names it; Amazon's without one. */
  endpoint: string | undefined
}

export interface Bucket {
  /** Whether an object of that key is there, with this body or with another. */
  compare(object: StoredObject): Promise<'missing' | 'same' | 'other'>
  put(object: StoredObject): Promise<void>
}

/** A bucket over signed requests. Methods throw on an unexpected status. */
export function openBucket(address: BucketAddress, environment: NodeJS.ProcessEnv): Bucket {
  const client = openClient(address.region, environment)
  const request = (key: string, init: RequestInit) => client.fetch(toUrl(address, key), init)
  return {
    async compare({ key, body }) {
      const response = await request(key, { method: 'HEAD' })
      if (response.status === 404) return 'missing'
      if (!response.ok) throw new Error(refusal(key, response.status, 'read'))
      // The ETag is the body's MD5 unless the bucket encrypts with a key of its own.
      const same =
        response.headers.get('x-amz-meta-sha256') === digest('sha256', body) ||
        response.headers.get('etag') === `"${digest('md5', body)}"`
      return same ? 'same' : 'other'
    },
    async put({ key, contentType, body }) {
      const sha256 = digest('sha256', body)
      const response = await request(key, {
        method: 'PUT',
        body: new Uint8Array(body),
        headers: {
          'content-type': contentType,
          'x-amz-content-sha256': sha256,
          'x-amz-meta-sha256': sha256,
        },
      })
      if (!response.ok) throw new Error(refusal(key, response.status, 'write'))
    },
  }
}

function openClient(region: string, environment: NodeJS.ProcessEnv): AwsClient {
  const credentials = readCredentials(environment)
  if (!credentials) throw new Error(`Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: ${AWS_LOGIN}`)
  return new AwsClient({ ...credentials, region, service: 's3', retries: 3 })
}

function toUrl({ bucket, region, endpoint }: BucketAddress, key: string): URL {
  const path = key.split('/').map(encodeURIComponent).join('/')
  return new URL(`${toBucketUrl(bucket, region, endpoint)}/${path}`)
}

function refusal(key: string, status: number, what: 'read' | 'write'): string {
  const hint = status === 403 ? `: these credentials may not ${what} it` : ''
  return `The store answered ${status} for ${key}${hint}.`
}

function digest(algorithm: 'md5' | 'sha256', body: Uint8Array): string {
  return createHash(algorithm).update(body).digest('hex')
}
