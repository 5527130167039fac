import type { Isolate } from './simulated-network.ts'

/** The Cache-Status header. */
export const statusOf = (response: Response) => response.headers.get('cache-status') ?? ''

/** Status, body and Cache-Status of a page, after all background work. */
export async function fetchPage(isolate: Isolate, path = '/lighthouse') {
  const response = await isolate.get(path)
  const text = await response.text()
  await isolate.drain()
  return { status: response.status, text, cacheStatus: statusOf(response) }
}
