import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** TCP proxy in front of PostgreSQL that can be stopped, stalled or slow. */
export interface DatabaseProxy {
  /** URL of the database through the proxy. */
  url: string
  /** Closes every connection and accepts no more, like a stopped server. */
  stop(): Promise<void>
  /** Drops all data, like a server that hangs. */
  stall(): void
  /** Accepts connections and forwards data again. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy; `delay` is the latency in milliseconds, in each direction. */
export async function createDatabaseProxy(databaseUrl: string, delay = 0): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let stalled = false
  const server = createServer((inbound) => {
    const outbound = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (!stalled) setTimeout(() => to.write(data), delay)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    stop,
    stall: () => {
      stalled = true
    },
    restore: async () => {
      stalled = false
      if (!server.listening) await listen(port)
    },
    close: stop,
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
}
