import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to PostgreSQL that can be stop, stalled or long, for one instance of the API alone. */
export interface DatabaseProxy {
  /** The database's URL by this way. */
  url: string
  /** Ends every connection and takes no more, as a server that is stopped. */
  stop(): Promise<void>
  /** Lets nothing through, as a server that hangs. */
  stall(): void
  /** Lets all through again. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** `delay`: milliseconds that everything is under way, each way. */
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
      from.on('data', (data) => stalled || setTimeout(() => to.write(data), delay))
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
