import { toCacheControl } from '../../../http/cache-control.ts'
import type { Ports } from '../ports.ts'

const SECONDS = 10
const HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: SECONDS }) }
const MAX_REMEMBERED = 1000

/** Whether the caller is the one to refresh the entry. */
export type ClaimRefresh = (edgeUrl: string) => Promise<boolean>

/** One refresh per entry: first within this isolate, then, by a marker in the cache, within its data centre. */
export function createClaims(ports: Ports): ClaimRefresh {
  const claimed = new Map<string, number>()

  return async (edgeUrl) => {
    const now = ports.now()
    if ((claimed.get(edgeUrl) ?? 0) > now) return false
    if (claimed.size >= MAX_REMEMBERED) claimed.clear()
    claimed.set(edgeUrl, now + SECONDS * 1000)
    return claimInPlace(edgeUrl, ports)
  }
}

async function claimInPlace(edgeUrl: string, { edge, log }: Ports): Promise<boolean> {
  const { host, pathname, search } = new URL(edgeUrl)
  const marker = `https://${host}/__cms/refreshing${pathname}${search}`
  try {
    if (await edge.match(marker)) return false
    await edge.put(marker, new Response('', { headers: HEADERS }))
  } catch (error) {
    log('warn', { event: 'layer', action: 'refresh marker', error: String(error) })
  }
  return true
}
