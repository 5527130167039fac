import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { toBucketUrl } from '../../contract/constants.ts'
import type { PublishedObject } from '../../themes/assets.ts'
import { AWS_LOGIN, readCredentials } from './aws.ts'

export interface BucketAddress {
  bucket: string
  region: string
  /** Origin of an S3-compatible store, optionally with `{bucket}` in its host; undefined for Amazon S3. */
  endpoint: string | undefined
}

export interface BucketClient {
  /** Compares an object with the stored object of the same key. */
  compare(object: PublishedObject): Promise<'missing' | 'same' | 'other'>
  put(object: PublishedObject): Promise<void>
}

/**
 * Creates a client for a bucket, which signs its requests. Its methods throw on an unexpected status.
 * @throws Error without AWS credentials
 */
export function openBucket(address: BucketAddress, env: NodeJS.ProcessEnv): BucketClient {
  const client = openClient(address.region, env)
  const request = (key: string, init: RequestInit) => client.fetch(toUrl(address, key), init)
  return {
    async compare({ key, body }) {
      const response = await request(key, { method: 'HEAD' })
      if (response.status === 404) return 'missing'
      if (!response.ok) throw new Error(describeStatus(key, response.status, 'read'))
      // The ETag is the MD5 of the body, unless the bucket is encrypted with a KMS key.
      const isSame =
        response.headers.get('x-amz-meta-sha256') === digest('sha256', body) ||
        response.headers.get('etag') === `"${digest('md5', body)}"`
      return isSame ? 'same' : 'other'
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
      if (!response.ok) throw new Error(describeStatus(key, response.status, 'write'))
    },
  }
}

function openClient(region: string, env: NodeJS.ProcessEnv): AwsClient {
  const credentials = readCredentials(env)
  if (!credentials) throw new Error(`Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: ${AWS_LOGIN}`)
  return new AwsClient({ ...credentials, region, service: 's3', retries: 3 })
}

function toUrl({ bucket, region, endpoint }: BucketAddress, key: string): URL {
  const path = key.split('/').map(encodeURIComponent).join('/')
  return new URL(`${toBucketUrl(bucket, region, endpoint)}/${path}`)
}

function describeStatus(key: string, status: number, access: 'read' | 'write'): string {
  const hint = status === 403 ? `: these credentials may not ${access} it` : ''
  return `The object store responded with ${status} for ${key}${hint}.`
}

function digest(algorithm: 'md5' | 'sha256', body: Uint8Array): string {
  return createHash(algorithm).update(body).digest('hex')
}
