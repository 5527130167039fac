import type { EdgeCache } from '../ports.ts'

type Copy = { until: number; body: string; headers: Headers; status: number }

export type EdgeDouble = EdgeCache & {
  readonly copies: ReadonlyMap<string, Copy>
  operations: number
  /** Bodies that were returned, but neither read nor cancelled. */
  openBodies: number
  failing: boolean
  clear(): void
}

/** The edge cache of one data centre: entries expire by max-age. */
export function createEdgeDouble(now: () => number): EdgeDouble {
  const copies = new Map<string, Copy>()

  const double: EdgeDouble = {
    copies,
    operations: 0,
    openBodies: 0,
    failing: false,
    clear: () => copies.clear(),
    async match(url) {
      operate()
      const copy = copies.get(url)
      if (!copy || copy.until <= now()) return undefined
      return new Response(open(copy.body), { status: copy.status, headers: copy.headers })
    },
    async put(url, response) {
      operate()
      const seconds = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
      if (!seconds) throw new Error('an edge copy needs max-age')
      const body = await response.text()
      const { headers, status } = response
      copies.set(url, { until: now() + Number(seconds) * 1000, body, headers, status })
    },
    async delete(url) {
      operate()
      return copies.delete(url)
    },
  }
  return double

  function open(text: string): ReadableStream {
    double.openBodies++
    const end = () => {
      double.openBodies--
    }
    const pull = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(Buffer.from(text))
      controller.close()
      end()
    }
    return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 })
  }

  function operate(): void {
    double.operations++
    if (double.failing) throw new Error('the edge cache fails')
  }
}
