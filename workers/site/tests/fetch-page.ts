import type { Isolate } from './simulated-network.ts'

/** Returns the Cache-Status header. */
export const cacheStatusOf = (response: Response) => response.headers.get('cache-status') ?? ''

/** Requests a page, by default the article at `/lighthouse`, and waits for all background work. */
export async function fetchPage(isolate: Isolate, path = '/lighthouse') {
  const response = await isolate.get(path)
  const text = await response.text()
  await isolate.waitForBackgroundWork()
  return { status: response.status, text, cacheStatus: cacheStatusOf(response) }
}
