import { toCacheControl } from '../../../http/cache-control.ts'
import type { Ports } from '../ports.ts'

const LOCK_SECONDS = 10
const MARKER_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: LOCK_SECONDS }) }
const MAX_LOCKS = 1000

/** Returns whether the caller may revalidate the entry. */
export type RevalidationLock = (edgeUrl: string) => Promise<boolean>

/**
 * Creates a lock that allows one revalidation of an entry in ten seconds, in this isolate and, by a marker
 * in the edge cache, in its data centre. While the edge cache fails, only the isolate is limited.
 */
export function createRevalidationLock(ports: Ports): RevalidationLock {
  const locked = new Map<string, number>()

  return async (edgeUrl) => {
    const now = ports.now()
    if ((locked.get(edgeUrl) ?? 0) > now) return false
    if (locked.size >= MAX_LOCKS) locked.clear()
    locked.set(edgeUrl, now + LOCK_SECONDS * 1000)
    return lockDataCentre(edgeUrl, ports)
  }
}

async function lockDataCentre(edgeUrl: string, { edge, logEvent }: Ports): Promise<boolean> {
  const { host, pathname, search } = new URL(edgeUrl)
  const markerUrl = `https://${host}/__cms/revalidating${pathname}${search}`
  try {
    if (await edge.match(markerUrl)) return false
    await edge.put(markerUrl, new Response('', { headers: MARKER_HEADERS }))
  } catch (error) {
    logEvent('warn', { event: 'cache', action: 'revalidation lock', error: String(error) })
  }
  return true
}
