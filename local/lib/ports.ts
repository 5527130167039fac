import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { UserError } from './user-error.ts'

/** Allocates free ports of 127.0.0.1, none of them twice. */
export interface Ports {
  /**
   * Returns the requested port; for 0, any free port.
   *
   * @throws UserError when the port is in use
   */
  require(port: number): Promise<number>
  /** Returns the first free port of the five after the last allocated one, otherwise any free port. */
  next(): Promise<number>
}

export function openPorts(): Ports {
  const taken = new Set<number>()
  let last = 0
  const take = (port: number) => {
    taken.add(port)
    last = port
    return port
  }
  return {
    async require(port) {
      const free = port === 0 ? await findFreePort() : await probe(port)
      if (free === undefined) {
        throw new UserError(
          `Port ${port} is in use: stop the process that listens there, or choose another port with --port.`,
        )
      }
      return take(free)
    },
    async next() {
      for (let port = last + 1; port <= Math.min(last + 5, 65_535); port += 1) {
        if (!taken.has(port) && (await probe(port)) !== undefined) return take(port)
      }
      return take(await findFreePort())
    },
  }
}

// Outgoing connections use ports from 32768 (Linux) or 49152 (others). A lower free port stays free until a
// server listens on it.
const FIRST_PORT = 10_000
const END_PORT = 32_768
const MAX_TRIES = 100

/**
 * Returns a free port of 127.0.0.1.
 *
 * @throws UserError when all ports that were tried are in use
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = await probe(randomInt(FIRST_PORT, END_PORT))
    if (port !== undefined) return port
  }
  throw new UserError('No free port was found on this machine.')
}

/** Returns the port if it is free, otherwise undefined. */
async function probe(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    server.close()
    await once(server, 'close')
    return typeof address === 'object' ? address?.port : undefined
  } catch {
    return undefined
  }
}
