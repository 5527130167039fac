import { AwsClient } from 'aws4fetch'
import { parseHttpDate, toHttpDate } from '../../../http/date.ts'
import { type ByteRange, resolveRange, toRange } from '../../../http/range.ts'
import { LateError, within } from '../stream/pipe-to-both.ts'
import { type Failed, type Head, parseHead, type Read } from './object.ts'

export type StoreConfig = {
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
/** How often the store is asked, and how long for one answer, for a request, and for a chunk of a body. */
type Patience = typeof PATIENCE
export type StoreOptions = {
  store: StoreConfig
  patience: Patience
  fetch: (request: Request, init: RequestInit) => Promise<Response>
  now: () => number
}
type Wish = { key: string; range: ByteRange | undefined }
type Coding = 'plain' | 'decoded' | 'unreadable'
type Outcome = Exclude<Read, Failed> | (Failed & { again?: true })
/**
 * Asks the store for an object or a part of it, until a time in milliseconds; what goes wrong is an
 * answer too.
 */
export type Store = (
  key: string,
  until: number,
  range?: ByteRange,
) => Promise<{ answer: Read; attempts: number }>

export const PATIENCE = {
  attempts: 3,
  attemptMs: 5_000,
  totalMs: 10_000,
  pauseMs: 100,
  chunkMs: 10_000,
}

// https://www.iana.org/assignments/http-parameters, "HTTP Content Coding Registry".
const CODINGS = /\b(br|compress|dcb|dcz|deflate|exi|gzip|pack200-gzip|zstd)\b/

// Keys that a store can not have: those of Amazon S3, and of MinIO, which takes them for paths.
const IMPOSSIBLE_KEY = /^(KeyTooLongError|InvalidURI|XMinioInvalid(Object|Resource)Name)$/

// Characters of an error's body within which its code stands.
const START_LENGTH = 4096

/**
 * Reads objects of an S3-compatible bucket with signed GET requests (AWS Signature Version 4).
 * What the store says goes no further than `reason`: a refusal of our credentials is a failure of
 * ours, only a key that the store does not have is `missing`.
 */
export function createStore(options: StoreOptions): Store {
  const { store, patience, now } = options
  const client = new AwsClient({ ...store, service: 's3' })
  return async (key, until, range) => {
    for (let attempts = 1; ; attempts++) {
      const wait = Math.min(patience.attemptMs, until - now())
      const outcome = await ask(client, options, { key, range }, wait)
      const again = outcome.type === 'failed' && outcome.again && attempts < patience.attempts
      if (!again || now() >= until) return { answer: outcome, attempts }
      await pause(patience.pauseMs * 2 ** (attempts - 1))
    }
  }
}

async function ask(
  client: AwsClient,
  options: StoreOptions,
  wish: Wish,
  waitMs: number,
): Promise<Outcome> {
  const url = `${options.store.bucketUrl}/${toUrlPath(wish.key)}`
  const request = await sign(client, url, wish.range)
  const abort = new AbortController()
  const answer = async () => {
    return toOutcome(await options.fetch(request, { signal: abort.signal }), wish, options)
  }
  try {
    return await within(waitMs, answer())
  } catch (error) {
    abort.abort()
    const reason = error instanceof Error ? error.message : String(error)
    return { ...fail(error instanceof LateError ? 504 : 502, reason), again: true }
  }
}

// Of the headers only Range goes along, and the edge may rewrite Accept-Encoding: it stays unsigned.
async function sign(client: AwsClient, url: string, range?: ByteRange): Promise<Request> {
  const signed = await client.sign(url, { headers: range ? { range: toRange(range) } : {} })
  const request = new Request(signed, { redirect: 'manual', cache: 'no-store' })
  request.headers.set('accept-encoding', 'identity')
  return request
}

async function toOutcome(
  response: Response,
  { key, range }: Wish,
  { now }: StoreOptions,
): Promise<Outcome> {
  const { status, headers, body } = response
  const date = new Date(now())
  const coding = toCoding(headers)
  const head = parseHead(key, headers, status)
  const isPart = status === 206 && range && coding === 'plain' && isAsAsked(head, range)
  if (isPart || (status === 200 && coding !== 'unreadable')) {
    // RFC 9110 §5.6.7: whatever form the store uses, only one may be sent on.
    const modified = parseHttpDate(head.lastModified)
    const lastModified = modified && toHttpDate(modified)
    const size = coding === 'plain' ? head.size : undefined
    return { type: 'found', from: 'store', ...head, size, lastModified, body, date }
  }
  if ((status === 416 || status === 206) && range) {
    await body?.cancel()
    return { type: 'bodiless' }
  }
  if (coding === 'unreadable') {
    await body?.cancel()
    return fail(502, `${status} in ${headers.get('content-encoding')}`)
  }
  const text = await readStart(response)
  // Amazon S3 API reference, "REST error responses": <Error><Code>NoSuchKey</Code>…
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? ''
  // Whoever else answers at a wrong address says something else; a plain store says nothing.
  const isMissing = status === 404 && (code === 'NoSuchKey' || text === '')
  if (isMissing || (status === 400 && IMPOSSIBLE_KEY.test(code))) {
    return { type: 'missing', from: 'store', date }
  }
  const failed = fail(502, `${status} ${code}`.trim())
  return status === 429 || status >= 500 ? { ...failed, again: true } : failed
}

async function readStart({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length >= START_LENGTH || text.includes('</Code>')) break
  }
  return text
}

// Some stores answer a suffix by as much of the beginning.
function isAsAsked({ part, size = 0 }: Head, range: ByteRange): boolean {
  const asked = resolveRange(range, size)
  return asked.type === 'range' && part?.start === asked.start && part.end === asked.end
}

// The platform decodes two codings, where they stand alone; others tell of no change, as `aws-chunked`.
function toCoding(headers: Headers): Coding {
  const value = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (value === 'gzip' || value === 'br') return 'decoded'
  return CODINGS.test(value) ? 'unreadable' : 'plain'
}

// aws4fetch takes `+` for a space, and S3 signs RFC 3986's reserved characters encoded.
function toUrlPath(key: string): string {
  return key
    .split('/')
    .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, toHex))
    .join('/')
}

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function fail(status: 502 | 504, reason: string): Failed {
  return { type: 'failed', status, reason }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
}
