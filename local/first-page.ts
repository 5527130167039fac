import { setTimeout as sleep } from 'node:timers/promises'
import { requestLocal } from './lib/local-request.ts'
import { UserError } from './lib/user-error.ts'

// A worker that could not reach its API just now remembers that for a moment.
const PATIENCE_MS = 10_000

/**
 * Requests a page, once everything behind it runs, until it is served. Returns the milliseconds since this process
 * began.
 *
 * @throws UserError when it is not served within ten seconds
 */
export async function awaitPage(address: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const status = await requestLocal(address).then(
      (response) => response.status,
      () => 'nothing',
    )
    if (status === 200) return performance.now()
    if (performance.now() > deadline) {
      throw new UserError(`${address} answers ${status} instead of a page.`)
    }
    await sleep(100)
  }
}
