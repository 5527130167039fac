import { toCacheControl } from '../../../http/cache-control.ts'
import type { Ports } from '../ports.ts'

const SECONDS = 10
const HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: SECONDS }) }
const MAX_LOCKS = 1000

/** Returns whether the caller should revalidate the entry. */
export type RevalidationLock = (edgeUrl: string) => Promise<boolean>

/** Allows one revalidation of an entry in ten seconds, in this isolate and, by a marker in the edge cache, in its data centre. */
export function createRevalidationLock(ports: Ports): RevalidationLock {
  const locked = new Map<string, number>()

  return async (edgeUrl) => {
    const now = ports.now()
    if ((locked.get(edgeUrl) ?? 0) > now) return false
    if (locked.size >= MAX_LOCKS) locked.clear()
    locked.set(edgeUrl, now + SECONDS * 1000)
    return lockDataCentre(edgeUrl, ports)
  }
}

async function lockDataCentre(edgeUrl: string, { edge, logEvent }: Ports): Promise<boolean> {
  const { host, pathname, search } = new URL(edgeUrl)
  const marker = `https://${host}/__cms/revalidating${pathname}${search}`
  try {
    if (await edge.match(marker)) return false
    await edge.put(marker, new Response('', { headers: HEADERS }))
  } catch (error) {
    logEvent('warn', { event: 'cache', action: 'revalidation lock', error: String(error) })
  }
  return true
}
