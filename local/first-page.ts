import { setTimeout as sleep } from 'node:timers/promises'
import { requestLocal } from './lib/local-request.ts'
import { UserError } from './lib/user-error.ts'

// The read API may not respond yet, and a worker caches that failure for a short time.
const TIMEOUT_MS = 10_000

/**
 * Requests a page until it responds with 200. Returns the milliseconds since this process started.
 *
 * @throws UserError when that takes more than ten seconds
 */
export async function awaitPage(address: string): Promise<number> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const status = await requestLocal(address).then(
      (response) => response.status,
      () => 'no status',
    )
    if (status === 200) return performance.now()
    if (performance.now() > deadline) {
      throw new UserError(`${address} responds with ${status} instead of a page.`)
    }
    await sleep(100)
  }
}
