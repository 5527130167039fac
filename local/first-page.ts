import { setTimeout as sleep } from 'node:timers/promises'
import { http } from './http.ts'
import { UserError } from './lib/user-error.ts'

// A worker that could not reach its API just now remembers that for a moment.
const PATIENCE_MS = 10_000

/**
 * Asks for a page, once everything behind it is up, until it is shown. Gives the milliseconds since
 * this process began.
 */
export async function awaitPage(address: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const status = await fetchStatus(address)
    if (status === 200) return performance.now()
    if (performance.now() > deadline) {
      throw new UserError(`${address} answers ${status} instead of a page.`)
    }
    await sleep(100)
  }
}

/** Programs cannot resolve the host names of the edge here: this machine is dialled. */
function fetchStatus(address: string): Promise<number | undefined> {
  const { host, port, pathname } = new URL(address)
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: pathname, headers: { host }, agent: false }
    http
      .get(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      .on('error', () => resolve(undefined))
  })
}
