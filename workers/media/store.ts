import { AwsClient } from 'aws4fetch'
import { type ByteRange, toRange } from '../../http/range.ts'
import { type Failed, isCoded, parseFound, type Read } from './object.ts'

export type StoreConfig = {
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
/** How often the store is asked, and how long one answer and all of them are waited for. */
export type Patience = { attempts: number; attemptMs: number; totalMs: number; pauseMs: number }
export type StoreOptions = StoreConfig & {
  patience: Patience
  fetch: (request: Request, init: RequestInit) => Promise<Response>
  now: () => number
}
export type Asked<Answer> = { answer: Answer; attempts: number }
/** Asks the store for an object or a part of it; what goes wrong is an answer too. */
export type Store = (key: string, range?: ByteRange) => Promise<Asked<Read>>

type Outcome = Exclude<Read, Failed> | (Failed & { again?: true })

export const PATIENCE: Patience = { attempts: 3, attemptMs: 5_000, totalMs: 10_000, pauseMs: 100 }

/**
 * Reads objects of an S3-compatible bucket with signed GET requests (AWS Signature Version 4).
 * What the store says goes no further than `reason`: a refusal of our credentials is a failure of
 * ours, only a key that the store does not have is `missing`.
 */
export function createStore(options: StoreOptions): Store {
  const { region, accessKeyId, secretAccessKey, patience, now } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  return async (key, range) => {
    const until = now() + patience.totalMs
    for (let attempts = 1; ; attempts++) {
      const wait = Math.min(patience.attemptMs, until - now())
      const outcome = await ask(client, options, key, range, wait)
      const again = outcome.type === 'failed' && outcome.again && attempts < patience.attempts
      if (!again || now() >= until) return { answer: outcome, attempts }
      await pause(patience.pauseMs * 2 ** (attempts - 1))
    }
  }
}

async function ask(
  client: AwsClient,
  { bucketUrl, fetch, now }: StoreOptions,
  key: string,
  range: ByteRange | undefined,
  waitMs: number,
): Promise<Outcome> {
  const request = await sign(client, `${bucketUrl}/${toUrlPath(key)}`, range)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), waitMs)
  try {
    const response = await fetch(request, { signal: deadline.signal })
    return await toOutcome(response, range, new Date(now()))
  } catch (error) {
    if (deadline.signal.aborted) return { ...fail(504, `no answer in ${waitMs} ms`), again: true }
    return { ...fail(502, error instanceof Error ? error.message : String(error)), again: true }
  } finally {
    clearTimeout(timer)
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
  range: ByteRange | undefined,
  date: Date,
): Promise<Outcome> {
  const { status, headers } = response
  if (status === 200 || (status === 206 && range && !isCoded(headers))) {
    return parseFound(response, 'store', date) ?? fail(502, 'a 206 without Content-Range')
  }
  if ((status === 416 || status === 206) && range) {
    await response.body?.cancel()
    return { type: 'bodiless' }
  }
  const code = await readCode(response)
  if (status === 404 && (code === 'NoSuchKey' || code === '')) {
    return { type: 'missing', from: 'store', date }
  }
  const failed = fail(502, `${status} ${code}`.trim())
  return status === 429 || status >= 500 ? { ...failed, again: true } : failed
}

// Amazon S3 API reference, "REST error responses": <Error><Code>NoSuchKey</Code>…
async function readCode({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return /<Code>(\w{1,64})<\/Code>/.exec(new TextDecoder().decode(first?.value))?.[1] ?? ''
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
