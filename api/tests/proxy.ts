import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to PostgreSQL that can be cut, clogged or long, for one instance of the API alone. */
export interface Detour {
  /** The database's URL by this way. */
  url: string
  /** Ends every connection and takes no more, as a server that is stopped. */
  cut(): Promise<void>
  /** Lets nothing through, as a server that hangs. */
  clog(): void
  /** Lets all through again. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** `delay`: milliseconds that everything is under way, each way. */
export async function createDetour(databaseUrl: string, delay = 0): Promise<Detour> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let clogged = false
  const server = createServer((inbound) => {
    const outbound = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => clogged || setTimeout(() => to.write(data), delay))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    cut,
    clog: () => {
      clogged = true
    },
    mend: async () => {
      clogged = false
      if (!server.listening) await listen(port)
    },
    close: cut,
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
}
