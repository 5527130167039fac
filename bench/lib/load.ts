import { type Dispatcher, Pool } from 'undici'

/** A server under load: its URL, its requests and the expected response. */
export type LoadTarget = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  /** Returns the path of the next request; by default always the path of `url`. */
  nextPath?: () => string
  expects: { status: number; body?: Buffer | string }
}
export type LoadResult = {
  /** Requests per second. */
  rate: number
  meanMs: number
  p99Ms: number
  /** CPU time of one request in microseconds; NaN where it is not measured. */
  cpuUs: number
}
type RunningTarget = { name: string; target: LoadTarget; pool: Pool; results: LoadResult[] }
export type LoadSettings = {
  /** Rounds that count; one more is for warming up. */
  rounds: number
  /** Duration of one target's turn. */
  seconds: number
  connections: number
  /** Returns the CPU time that all servers have used so far, in microseconds. */
  measureCpu?: () => Promise<number>
}

/**
 * Sends requests to the targets in turns, so that other load on the machine affects all of them; the shorter
 * the turns, the better. Each round starts with another target. The first round warms up and does not count.
 *
 * @throws Error when a response has another status than expected, or the first response of a turn another body
 */
export async function compareLoad<Name extends string>(
  targets: Record<Name, LoadTarget>,
  options: LoadSettings,
): Promise<Record<Name, LoadResult[]>> {
  const running = Object.entries<LoadTarget>(targets).map(([name, target]) =>
    toRunningTarget(name, target, options),
  )
  try {
    for (let round = 0; round <= options.rounds; round++) {
      const first = round % running.length
      for (const each of [...running.slice(first), ...running.slice(0, first)]) {
        await checkResponse(each)
        const result = await sendRequests(each, options)
        if (round > 0) each.results.push(result)
      }
    }
  } finally {
    await Promise.all(running.map(({ pool }) => pool.destroy()))
  }
  return Object.fromEntries(running.map(({ name, results }) => [name, results])) as Record<
    Name,
    LoadResult[]
  >
}

/** Returns the rate in relation to a baseline's rate: the median over the rounds. */
export function toRatio(measured: readonly LoadResult[], baseline: readonly LoadResult[]): number {
  return median(measured.map(({ rate }, round) => rate / (baseline[round]?.rate ?? Number.NaN)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Returns the median; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.floor(middle)],
    sorted[Math.ceil(middle)],
  ]
  return (low + high) / 2
}

function toRunningTarget(
  name: string,
  target: LoadTarget,
  { connections }: LoadSettings,
): RunningTarget {
  const pool = new Pool(new URL(target.url).origin, { connections })
  return { name, target, pool, results: [] }
}

/** Sends requests for one turn. Every connection sends its next request when the last response is complete. */
async function sendRequests(each: RunningTarget, options: LoadSettings): Promise<LoadResult> {
  const { seconds, connections, measureCpu = async () => Number.NaN } = options
  const latencies: number[] = []
  const before = await measureCpu()
  const started = performance.now()
  const useConnection = async () => {
    for (let now = started; now < started + seconds * 1000; ) {
      const { body } = await request(each)
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      const sentAt = now
      now = performance.now()
      latencies.push(now - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, useConnection))
  const elapsedSeconds = (performance.now() - started) / 1000
  const cpuUs = ((await measureCpu()) - before) / latencies.length
  const p99Ms = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)]
  return {
    rate: latencies.length / elapsedSeconds,
    meanMs: mean(latencies),
    p99Ms: p99Ms ?? 0,
    cpuUs,
  }
}

async function checkResponse(each: RunningTarget): Promise<void> {
  const { body: expected } = each.target.expects
  const { body } = await request(each)
  const actual = Buffer.from(await body.arrayBuffer())
  if (expected !== undefined && !actual.equals(Buffer.from(expected))) {
    throw new Error(`${each.name} responded with another body: ${actual.subarray(0, 200)}`)
  }
}

/** Sends the next request, without fetch(), which would add headers and hide a 304. */
async function request({ name, target, pool }: RunningTarget): Promise<Dispatcher.ResponseData> {
  const { url, method = 'GET', headers = {}, nextPath, expects } = target
  const { pathname, search } = new URL(url)
  const path = nextPath?.() ?? pathname + search
  const response = await pool.request({ path, method, headers })
  if (response.statusCode === expects.status) return response
  throw new Error(`${name} responded with ${response.statusCode}: ${await response.body.text()}`)
}
