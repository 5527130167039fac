import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { UserError } from './user-error.ts'

/** Allocates ports of 127.0.0.1, each only once. */
export interface Ports {
  /** Returns the requested port; for 0, any free one. @throws UserError when it is in use */
  require(port: number): Promise<number>
  /** The first of the five ports after the last allocated one that is free, else any free one. */
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
          `Port ${port} is in use: stop what listens there, or name another with --port.`,
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

// Below those that Linux (from 32768) and others (from 49152) give to outgoing connections: what is
// free there stays free until it is listened on.
const [FIRST, END] = [10_000, 32_768]
const TRIES = 100

/** Returns a free port of 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await probe(randomInt(FIRST, END))
    if (port !== undefined) return port
  }
  throw new UserError('This machine has no free port left.')
}

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
