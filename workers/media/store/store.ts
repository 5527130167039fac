import { AwsV4Signer } from 'aws4fetch'
import { classifyContentCoding } from '../../../http/content-coding.ts'
import type { Part } from '../../../http/content-range.ts'
import { parseHttpDate, toHttpDate } from '../../../http/date.ts'
import { encodeAllButUnreserved } from '../../../http/path.ts'
import { type ByteRange, toRange } from '../../../http/range.ts'
import { parseRangeResponse } from '../../../http/range-response.ts'
import type { Config } from '../env.ts'
import { type Body, type ObjectHead, parseHead } from '../object.ts'
import type { RequestTrace } from '../request/request-trace.ts'
import { DeadlineError, within } from '../stream/deadline.ts'

/** `pauseMs` doubles per attempt. `responseMs`: until the headers arrive, all attempts together. */
export interface RetryPolicy {
  attempts: number
  pauseMs: number
  responseMs: number
  /** For a chunk of a body, or for a whole slice that is read at once. */
  chunkMs: number
}
export interface StoreDeps extends Pick<Config, 'store'> {
  retries: RetryPolicy
  fetch: (request: Request, init: RequestInit) => Promise<Response>
  now: () => number
}
interface StoreRequest {
  key: string
  range?: ByteRange | undefined
  /** A strong ETag that the object must still have. */
  ifMatch?: string | undefined
}
export interface StoreObject {
  type: 'object'
  head: ObjectHead
  /** Undefined for the whole object. */
  part: Part | undefined
  body: Body
  /** When the response arrived, in milliseconds since 1970. */
  storedAt: number
}
type StoreResponse =
  | StoreObject
  /** `changed`: a 412. `unusable`: a 416, or another part than the requested one. */
  | { type: 'missing' | 'changed' | 'unusable' }
/** Reads an object or a part of it. @throws StoreError */
export type Store = (request: StoreRequest, trace: RequestTrace) => Promise<StoreResponse>

/** The store failed. The message may contain text of the store, so it is only logged. */
export class StoreError extends Error {
  readonly status: 502 | 504
  readonly isRetryable: boolean

  constructor(status: 502 | 504, message: string, isRetryable = false) {
    super(message)
    this.status = status
    this.isRetryable = isRetryable
  }
}

// Error codes of Amazon S3 and of MinIO for keys that a store cannot have.
const IMPOSSIBLE_KEY = /^(KeyTooLongError|InvalidURI|XMinioInvalid(Object|Resource)Name)$/
// Number of characters of an error body that are searched for the error code.
const MAX_ERROR_LENGTH = 4096

/**
 * Returns a function that reads an S3-compatible bucket with signed GET requests (AWS Signature Version 4).
 * Overload and broken connections are retried. A deadline is not, because a retry would add to the load.
 */
export function createStore({ store, retries, fetch, now }: StoreDeps): Store {
  // Cache of signing keys, which are derived from the secret once a day.
  const signingKeys = new Map<string, ArrayBuffer>()
  const read = async (request: StoreRequest, signal: AbortSignal) => {
    const signed = await sign(store, signingKeys, request)
    return toStoreResponse(await fetch(signed, { signal }), request, now())
  }
  return (request, trace) =>
    trace.time('store', async () => {
      const deadline = now() + retries.responseMs
      for (let attempt = 1; ; attempt++) {
        trace.storeReads++
        const abort = new AbortController()
        try {
          return await within(deadline - now(), read(request, abort.signal))
        } catch (error) {
          abort.abort()
          const failure = toStoreError(error)
          const pauseMs = retries.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
          const isLast = attempt >= retries.attempts || now() + pauseMs >= deadline
          if (isLast || !failure.isRetryable) throw failure
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
      }
    })
}

/** Converts an error: a deadline becomes a 504, any other error that is not a StoreError a retryable 502. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof DeadlineError) return new StoreError(504, error.message)
  return new StoreError(502, error instanceof Error ? error.message : String(error), true)
}

async function sign(
  { bucketUrl, ...credentials }: Config['store'],
  cache: Map<string, ArrayBuffer>,
  { key, range, ifMatch }: StoreRequest,
): Promise<Request> {
  const path = key.split('/').map(encodeAllButUnreserved).join('/')
  const signer = new AwsV4Signer({
    ...credentials,
    service: 's3',
    url: `${bucketUrl}/${path}`,
    cache,
  })
  const { url, headers } = await signer.sign()
  // These headers are not signed: the edge may rewrite Accept-Encoding, and stores sign conditions differently.
  headers.set('accept-encoding', 'identity')
  if (range) headers.set('range', toRange(range))
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  return new Request(url, { headers, redirect: 'manual', cache: 'no-store' })
}

async function toStoreResponse(
  response: Response,
  { key, range }: StoreRequest,
  storedAt: number,
): Promise<StoreResponse> {
  const { status, headers, body } = response
  const encoding = headers.get('content-encoding')
  const coding = classifyContentCoding(encoding)
  if (coding === 'unreadable') {
    await body?.cancel()
    throw new StoreError(502, `${status} with the unsupported Content-Encoding ${encoding}`)
  }
  const received = parseRangeResponse(status, headers, range)
  if (received && (coding === 'plain' || !received.part)) {
    const head = parseHead(key, headers, coding === 'plain' ? received.size : undefined)
    // RFC 9110 §5.6.7: three date formats are accepted, but only one may be sent.
    const modified = parseHttpDate(head.lastModified)
    const lastModified = modified && toHttpDate(modified)
    // RFC 9111 §5.2.2.5 (no-store) and §5.2.2.7 (private).
    head.isPrivate = /\b(private|no-store)\b/i.test(headers.get('cache-control') ?? '')
    return { type: 'object', head: { ...head, lastModified }, part: received.part, body, storedAt }
  }
  const isUnusable = range && (status === 416 || status === 206)
  if (status !== 412 && !isUnusable) return toMissing(status, await readError(response))
  await body?.cancel()
  return { type: status === 412 ? 'changed' : 'unusable' }
}

/** Returns `missing` for a key that the store does not or cannot have. @throws StoreError for other errors */
function toMissing(status: number, text: string): StoreResponse {
  // Amazon S3 API reference, "REST error responses": <Error><Code>NoSuchKey</Code>…
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? ''
  // A 404 with another body means that the address of the bucket is wrong. Some stores send no body.
  const isMissing = status === 404 && (code === 'NoSuchKey' || text === '')
  if (isMissing || (status === 400 && IMPOSSIBLE_KEY.test(code))) return { type: 'missing' }
  throw new StoreError(502, `${status} ${code}`.trim(), status === 429 || status >= 500)
}

async function readError({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length >= MAX_ERROR_LENGTH || text.includes('</Code>')) break
  }
  return text
}
