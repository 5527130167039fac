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
  const handleRequest = getRequestListener(fetch, {
    overrideGlobalObjects: true,
    errorHandler: () =>
      toErrorResponse(toMalformedError('The request is malformed.'), randomUUID()),
  })
  // RFC 9112 §3.2: a request with more than one Host gets a 400. Node would use the first.
  const listener: RequestListener = (request, response) => {
    const hosts = request.headersDistinct.host?.length ?? 0
    if (hosts <= 1) return handleRequest(request, response)
    const error = toMalformedError('The request has more than one Host header.')
    return sendProblem(error, request.socket)
  }
  // Node would reject a missing Host or an unknown Expect without a body, so the listener handles both.
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false }, listener)
  server.on('checkExpectation', listener)
  server.on('clientError', rejectUnparsed)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${address.port}`, close: () => close(server) }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // server.close() closes idle connections once. Connections that become idle later are closed here.
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await closed.finally(() => clearInterval(timer))
}

const toMalformedError = (detail: string): ApiError => new ApiError('validation_error', { detail })

/** Sends a problem for a request that Node's parser rejects. */
async function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const problem = isTooLong
    ? new ApiError('headers_too_long')
    : toMalformedError('The request is not valid HTTP.')
  await sendProblem(problem, socket)
}

/** Writes a problem to a connection and closes it. */
async function sendProblem(problem: ApiError, socket: Duplex): Promise<void> {
  if (!socket.writable) return void socket.destroy()
  const response = toErrorResponse(problem, randomUUID())
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const body = await response.text()
  const length = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${headers}content-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
