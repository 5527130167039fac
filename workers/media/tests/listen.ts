import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Handle } from './s3.ts'

/** Serves a handler on a loopback port. A failed body or handler closes the connection. */
export async function listen(handle: Handle) {
  const traffic = { open: 0, sent: 0 }
  // Idle connections stay open, because a request that workerd sends while one is closed fails.
  const server = createServer({ keepAliveTimeout: 0 }, async (incoming, outgoing) => {
    const disconnected = new AbortController()
    outgoing.on('close', () => disconnected.abort())
    traffic.open++
    try {
      const response = await handle(toRequest(incoming, disconnected.signal))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      const body = response.body ?? new Response('').body
      if (body) await pipeline(Readable.fromWeb(body), countBytes(traffic), outgoing)
    } catch {
      outgoing.destroy()
    } finally {
      traffic.open--
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Number of open requests, and of bytes sent in bodies so far. */
    traffic,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function countBytes(traffic: { sent: number }) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      traffic.sent += chunk.length
      yield chunk
    }
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const url = `http://${incoming.headers.host}${incoming.url}`
  const hasBody = incoming.method === 'PUT' || incoming.method === 'POST'
  return new Request(url, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    ),
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  } as RequestInit)
}
