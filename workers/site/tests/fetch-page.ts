import type { Isolate } from './world.ts'

/** Where a page came from. */
export const statusOf = (response: Response) => response.headers.get('cache-status') ?? ''

/** What a reader sees: the title, and the layer that gave it. */
export async function fetchPage(isolate: Isolate, path = '/lighthouse') {
  const response = await isolate.get(path)
  const text = await response.text()
  await isolate.drain()
  return { status: response.status, text, from: statusOf(response) }
}
