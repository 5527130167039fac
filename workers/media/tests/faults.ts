import { setTimeout as sleep } from 'node:timers/promises'
import type { Handle } from './s3.ts'

/**
 * A fault of the next `times` store requests, by default of all. `cut`: the body breaks off after `after` bytes.
 * `stalled`: it stops there. `silent`: no response. `refused`: no connection.
 */
export type Fault =
  | { type: 'status'; status: number; code: string; times?: number }
  | (Pick<Alteration, 'headers' | 'ignoresRange'> & {
      type: 'cut' | 'stalled'
      after: number
      times?: number
    })
  | (Alteration & { type: 'altered'; times?: number })
  | { type: 'silent'; times?: number }
  | { type: 'refused'; times?: number }

/** Changes to a store's response; a header that is null is deleted. */
type Alteration = {
  status?: number
  headers?: Record<string, string | null>
  /** Chunks of a body that replaces the store's. */
  body?: string[]
  /** The store sends the whole object despite a Range. */
  ignoresRange?: boolean
}

/** Wraps a store with a fault that a test can set; without one, requests are passed to the store. */
export function createFaults(store: Handle) {
  let fault: Fault | undefined
  let remaining = 0
  let reads = 0
  return {
    set(next: Fault | undefined): void {
      fault = next
      remaining = next?.times ?? Number.POSITIVE_INFINITY
    },
    /** Returns the number of requests so far, with and without a fault. */
    countReads: () => reads,
    async handle(request: Request): Promise<Response> {
      reads++
      if (!fault || remaining-- <= 0) return store(request)
      return applyFault(fault, request, store)
    },
  }
}

async function applyFault(fault: Fault, request: Request, store: Handle): Promise<Response> {
  switch (fault.type) {
    case 'status': {
      const xml = `<Error><Code>${fault.code}</Code><Message>details from the store</Message></Error>`
      const headers = { 'content-type': 'application/xml', server: 'AmazonS3', 'x-amz-id-2': 'x' }
      return new Response(xml, { status: fault.status, headers })
    }
    case 'cut':
    case 'stalled': {
      const response = await read(fault, request, store)
      const end = fault.type === 'cut' ? breakOff : stall
      const body = response.body && limit(response.body, fault.after, end)
      return alter(new Response(body, response), fault.headers ? { headers: fault.headers } : {})
    }
    case 'altered':
      return alter(await read(fault, request, store), fault)
    case 'silent':
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      )
    case 'refused':
      throw new TypeError('connection refused by the store at 10.0.0.7')
    default:
      return fault satisfies never
  }
}

function read({ ignoresRange }: Alteration, request: Request, store: Handle): Promise<Response> {
  if (!ignoresRange) return store(request)
  const withoutRange = new Request(request)
  withoutRange.headers.delete('range')
  return store(withoutRange)
}

function alter(response: Response, { status = response.status, headers, body }: Alteration) {
  const altered = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) altered.delete(name)
    else altered.set(name, value)
  }
  return new Response(body ? toBody(body) : response.body, { status, headers: altered })
}

/** Creates a body of these chunks; `cancel` is called when it is cancelled. */
export function toBody(chunks: string[], cancel = () => {}): ReadableStream<Uint8Array> {
  const queue = chunks.map((chunk) => new TextEncoder().encode(chunk))
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const chunk = queue.shift()
      if (chunk) return controller.enqueue(chunk)
      controller.close()
      // A BYOB reader waits until its buffer is returned.
      controller.byobRequest?.respond(0)
    },
    cancel,
  })
}

type Controller = ReadableByteStreamController

/** Returns a body of the first `after` bytes, and then calls `end`. */
function limit(
  body: ReadableStream<Uint8Array>,
  after: number,
  end: (controller: Controller) => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let remaining = after
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      if (remaining <= 0) return end(controller)
      const { value = new Uint8Array() } = await reader.read()
      controller.enqueue(value.slice(0, remaining))
      remaining -= value.length
    },
  })
}

async function breakOff(controller: Controller): Promise<void> {
  await sleep(20)
  controller.error(new Error('the connection broke'))
}

function stall(): Promise<void> {
  return new Promise(() => {})
}
