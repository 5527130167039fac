import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server whose address stays while the process behind it is replaced. */
export interface Front {
  /** Sends further requests to another port. */
  switchTo(port: number): void
  /** Delays new requests, waits for those under way, and runs `replace` before it forwards the delayed ones. */
  pauseDuring(replace: () => Promise<void>): Promise<void>
  /** Resolves when the requests under way are complete, at the latest after two seconds. */
  drain(): Promise<void>
  stop(): Promise<void>
}

interface FrontDeps {
  port: number
  target: number
  /** Responds to a request itself; returns false to forward the request to the target. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Forwards the target's response; by default unchanged. */
  respond?: (from: IncomingMessage, to: ServerResponse, request: IncomingMessage) => Promise<void>
}

const DRAIN_MS = 2000
const POLL_MS = 5

/** Starts a front on loopback. */
export async function startFront({
  port,
  intercept,
  respond,
  ...options
}: FrontDeps): Promise<Front> {
  let target = options.target
  let paused: Promise<void> | undefined
  let underWay = 0
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    await paused
    underWay += 1
    try {
      const answer = await send(request, target)
      await (respond ?? passOn)(answer, response, request)
    } catch {
      if (!response.headersSent) response.writeHead(502)
      response.end()
    } finally {
      underWay -= 1
    }
  }
  // Connections are never closed for being idle: a request that workerd sends at that instant fails.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (!intercept?.(request, response)) void forward(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const drain = async () => {
    const deadline = performance.now() + DRAIN_MS
    while (underWay > 0 && performance.now() < deadline) await sleep(POLL_MS)
  }
  return {
    switchTo(next) {
      target = next
    },
    async pauseDuring(replace) {
      const { promise, resolve } = Promise.withResolvers<void>()
      paused = promise
      await drain()
      try {
        await replace()
      } finally {
        paused = undefined
        resolve()
      }
    },
    drain,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function send(request: IncomingMessage, port: number): Promise<IncomingMessage> {
  const { method, url: path, headers } = request
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false }
    const forwarded = http.request(options, resolve)
    forwarded.on('error', reject)
    request.pipe(forwarded)
  })
}

async function passOn(from: IncomingMessage, to: ServerResponse): Promise<void> {
  to.writeHead(from.statusCode ?? 502, from.rawHeaders)
  from.pipe(to)
  await Promise.race([once(to, 'close'), once(from, 'end')])
}
