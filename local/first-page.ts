import { setTimeout as sleep } from 'node:timers/promises'
import { requestLocal } from './lib/local-request.ts'
import { UserError } from './lib/user-error.ts'

// At first the read API may not respond, and a worker caches that failure for a short time.
const TIMEOUT_MS = 10_000

/**
 * Requests a page until the status is 200. Returns the milliseconds since this process started.
 *
 * @throws UserError when no response in ten seconds has this status
 */
export async function awaitPage(url: string): Promise<number> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const status = await requestLocal(url).then(
      (response) => response.status,
      () => 'no response',
    )
    if (status === 200) return performance.now()
    if (performance.now() > deadline) {
      throw new UserError(
        `No page at ${url} in ${TIMEOUT_MS / 1000} s, but ${status}: see the logs in the data folder.`,
      )
    }
    await sleep(100)
  }
}
