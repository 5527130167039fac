import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { decideConditional, readConditions } from '../../../http/conditional.ts'
import { toExtentHeaders } from '../../../http/content-range.ts'
import { toHttpDate } from '../../../http/date.ts'
import { allowsRange, parseRange } from '../../../http/range.ts'
import type { Bucket, StoredObject } from './bucket.ts'

const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  InvalidAccessKeyId: 403,
  InvalidRange: 416,
  MethodNotAllowed: 405,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

/** The error codes of S3 that this store uses. */
export type ErrorCode = keyof typeof STATUS

export function sendError(response: ServerResponse, code: ErrorCode, message: string): void {
  const id = randomUUID()
  const body = toXml({ Error: { Code: code, Message: message, RequestId: id } })
  response.writeHead(STATUS[code], { ...commonHeaders(id), 'content-type': 'application/xml' })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Responds to GET and HEAD of an object: preconditions first, then one range, then the whole object. */
export async function sendObject(
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  bucket: Bucket,
  object: StoredObject,
): Promise<void> {
  const { size, etag, lastModified } = object
  const requested = new Headers(headers as Record<string, string>)
  const validators = { etag, 'last-modified': toHttpDate(lastModified) }
  const conditional = { method, ...readConditions(requested), etag, lastModified }
  if (decideConditional(conditional) === 'not-modified') {
    response.writeHead(304, { ...commonHeaders(), ...validators }).end()
    return
  }
  const current = { etag, lastModified, date: new Date() }
  const applies = allowsRange(requested.get('if-range'), current)
  const range = parseRange(applies ? headers.range : undefined, size)
  if (range.type === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${size}`)
    return sendError(response, 'InvalidRange', 'The requested range is not satisfiable')
  }
  const part = range.type === 'range' ? range : undefined
  response.writeHead(part ? 206 : 200, {
    ...commonHeaders(),
    ...validators,
    ...toExtentHeaders(size, part),
    'content-type': object.contentType,
  })
  if (method === 'HEAD') response.end()
  else await pipeline(bucket.read(object, part), response)
}

/** Responds to ListObjectsV2 with `prefix`, `start-after`, `continuation-token` and `max-keys`. */
export function sendList(
  response: ServerResponse,
  name: string,
  bucket: Bucket,
  query: URLSearchParams,
): void {
  const prefix = query.get('prefix') ?? ''
  const token = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
  const found = bucket.list(prefix, token || (query.get('start-after') ?? ''))
  const page = found.slice(0, Math.min(Number(query.get('max-keys') ?? 1000), 1000))
  const truncated = page.length < found.length
  const contents = page.map(({ key, size, etag, lastModified }) => ({
    Contents: { Key: key, LastModified: lastModified.toJSON(), ETag: etag, Size: size },
  }))
  const next = Buffer.from(page.at(-1)?.key ?? '').toString('base64url')
  const head = { Name: name, Prefix: prefix, KeyCount: page.length, IsTruncated: truncated }
  const list = [head, ...contents, ...(truncated ? [{ NextContinuationToken: next }] : [])]
  response.writeHead(200, { ...commonHeaders(), 'content-type': 'application/xml' })
  response.end(toXml({ ListBucketResult: list }))
}

export function sendEmpty(response: ServerResponse, status: number, etag?: string): void {
  response.writeHead(status, { ...commonHeaders(), ...(etag && { etag }) }).end()
}

function commonHeaders(id: string = randomUUID()) {
  return { server: 'AmazonS3', 'x-amz-request-id': id, date: toHttpDate(new Date()) }
}

type Node = string | number | boolean | Node[] | { [name: string]: Node }

function toXml(root: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElements(root)}`
}

function toElements(node: Node): string {
  if (Array.isArray(node)) return node.map(toElements).join('')
  if (typeof node !== 'object') return String(node).replaceAll(/[&<>"]/g, escapeXml)
  return Object.entries(node)
    .map(([name, value]) => `<${name}>${toElements(value)}</${name}>`)
    .join('')
}

function escapeXml(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
