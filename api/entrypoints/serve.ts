import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { ApiError, toErrorResponse } from '../problem.ts'

export interface RunningServer {
  url: string
  /** Stops accepting connections and resolves when all responses are complete. */
  close(): Promise<void>
}

/** Serves a fetch handler over HTTP on loopback; port 0 means any free port. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<RunningServer> {
  const handle = getRequestListener(fetch, {
    overrideGlobalObjects: true,
    errorHandler: () => toErrorResponse(malformed('The request cannot be read.'), randomUUID()),
  })
  // RFC 9112 §3.2: a request with more than one Host gets a 400. Node would use the first.
  const listener: RequestListener = (request, response) => {
    const hosts = request.headersDistinct.host?.length ?? 0
    if (hosts <= 1) return handle(request, response)
    return sendError(new Error('two Host headers'), request.socket)
  }
  // Node's own responses to a missing Host and an unknown Expect have no body; the listener sends a problem.
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false }, listener)
  server.on('checkExpectation', listener)
  server.on('clientError', sendError)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${address.port}`, close: () => close(server) }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // close() closes only connections that are idle now; busy ones would stay open after their response.
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await closed.finally(() => clearInterval(timer))
}

const malformed = (detail: string): ApiError => new ApiError('validation_error', { detail })

/** Sends a problem for a request that Node's parser rejects. */
async function sendError(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const problem = isTooLong
    ? new ApiError('headers_too_long')
    : malformed('The request is not HTTP.')
  const response = toErrorResponse(problem, randomUUID())
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const body = await response.text()
  const length = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${headers}content-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
