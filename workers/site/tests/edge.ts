import type { EdgeCache } from '../ports.ts'

type StoredResponse = { expiresAt: number; body: string; headers: Headers; status: number }

export type EdgeDouble = EdgeCache & {
  readonly copies: ReadonlyMap<string, StoredResponse>
  operations: number
  /** Number of returned bodies that were neither read nor cancelled. */
  openBodies: number
  failing: boolean
  clear(): void
}

/** Simulates the edge cache of one data centre; entries expire after their max-age. */
export function createEdgeDouble(now: () => number): EdgeDouble {
  const copies = new Map<string, StoredResponse>()

  const double: EdgeDouble = {
    copies,
    operations: 0,
    openBodies: 0,
    failing: false,
    clear: () => copies.clear(),
    async match(url) {
      startOperation()
      const copy = copies.get(url)
      if (!copy || copy.expiresAt <= now()) return undefined
      return new Response(toStream(copy.body), { status: copy.status, headers: copy.headers })
    },
    async put(url, response) {
      startOperation()
      const seconds = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
      if (!seconds) throw new Error(`Response for ${url} has no max-age`)
      const body = await response.text()
      const { headers, status } = response
      copies.set(url, { expiresAt: now() + Number(seconds) * 1000, body, headers, status })
    },
    async delete(url) {
      startOperation()
      return copies.delete(url)
    },
  }
  return double

  function toStream(text: string): ReadableStream {
    double.openBodies++
    const close = () => {
      double.openBodies--
    }
    const pull = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(Buffer.from(text))
      controller.close()
      close()
    }
    return new ReadableStream({ pull, cancel: close }, { highWaterMark: 0 })
  }

  function startOperation(): void {
    double.operations++
    if (double.failing) throw new Error('The edge cache fails')
  }
}
