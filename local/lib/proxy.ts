import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A proxy on a fixed port, behind which processes are replaced. */
export interface RunningProxy {
  /** Forwards later requests to another port. */
  switchTo(port: number): void
  /** Waits up to two seconds for current requests, then calls `replace`; later requests wait for its end. */
  pauseDuring(replace: () => Promise<void>): Promise<void>
  /** Waits up to two seconds for the current requests to complete. */
  drain(): Promise<void>
  stop(): Promise<void>
}

interface ProxySettings {
  port: number
  /** Port that requests are forwarded to. */
  target: number
  /** Returns true when it responds to the request itself; otherwise the request is forwarded. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Sends the target's response to the client; by default unchanged. */
  sendResponse?: (
    from: IncomingMessage,
    to: ServerResponse,
    request: IncomingMessage,
  ) => Promise<void>
}

const DRAIN_MS = 2000
const POLL_MS = 5

/** Starts a proxy on loopback. It responds with 502 when the target does not respond. */
export async function startProxy({
  port,
  intercept,
  sendResponse = pipeResponse,
  ...settings
}: ProxySettings): Promise<RunningProxy> {
  let target = settings.target
  let paused: Promise<void> | undefined
  let currentRequests = 0
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    await paused
    currentRequests += 1
    try {
      await sendResponse(await send(request, target), response, request)
    } catch {
      if (!response.headersSent) response.writeHead(502)
      response.end()
    } finally {
      currentRequests -= 1
    }
  }
  // Idle connections stay open: a request that workerd sends while its connection is closed would fail.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (!intercept?.(request, response)) void forward(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const drain = async () => {
    const deadline = performance.now() + DRAIN_MS
    while (currentRequests > 0 && performance.now() < deadline) await sleep(POLL_MS)
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
    const target = { host: '127.0.0.1', port, method, path, headers, agent: false }
    const forwarded = http.request(target, resolve)
    forwarded.on('error', reject)
    request.pipe(forwarded)
  })
}

async function pipeResponse(from: IncomingMessage, to: ServerResponse): Promise<void> {
  to.writeHead(from.statusCode ?? 502, from.rawHeaders)
  from.pipe(to)
  await Promise.race([once(to, 'close'), once(from, 'end')])
}
