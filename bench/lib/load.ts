import { type Dispatcher, Pool } from 'undici'

/** A server in a comparison: its URL, its requests and the expected response. */
export type Contender = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  /** The path of the next request, where each has one of its own; else that of `url`. */
  nextPath?: () => string
  expects: { status: number; body?: Buffer | string }
}
/** `cpuUs` is the CPU time of one request in microseconds, where it is measured. */
export type Turn = { rate: number; meanMs: number; p99Ms: number; cpuUs: number }
type Lane = { name: string; contender: Contender; pool: Pool; turns: Turn[] }
export type RaceOptions = {
  rounds: number
  seconds: number
  connections: number
  /** CPU time in microseconds that the servers have used so far. */
  measureCpu?: () => Promise<number>
}

/**
 * Drives contenders in turns, so that what else the machine does hits them alike: the shorter the turns,
 * the better. Each round starts with another contender. The first one warms up and is not counted;
 * before each turn an answer is checked, body and all, and a turn with any other status throws.
 */
export async function race<Name extends string>(
  contenders: Record<Name, Contender>,
  options: RaceOptions,
): Promise<Record<Name, Turn[]>> {
  const lanes = Object.entries<Contender>(contenders).map(([name, contender]) =>
    toLane(name, contender, options),
  )
  try {
    for (let round = 0; round <= options.rounds; round++) {
      const first = round % lanes.length
      for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) {
        await check(lane)
        const turn = await drive(lane, options)
        if (round > 0) lane.turns.push(turn)
      }
    }
  } finally {
    await Promise.all(lanes.map(({ pool }) => pool.destroy()))
  }
  return Object.fromEntries(lanes.map(({ name, turns }) => [name, turns])) as Record<Name, Turn[]>
}

/** How many times the rate of `theirs` the rate of `ours` is: the median of the rounds. */
export function toRatio(ours: readonly Turn[], theirs: readonly Turn[]): number {
  return median(ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.floor(middle)],
    sorted[Math.ceil(middle)],
  ]
  return (low + high) / 2
}

function toLane(name: string, contender: Contender, { connections }: RaceOptions): Lane {
  const pool = new Pool(new URL(contender.url).origin, { connections })
  return { name, contender, pool, turns: [] }
}

async function drive(lane: Lane, options: RaceOptions): Promise<Turn> {
  const { seconds, connections, measureCpu = async () => Number.NaN } = options
  const latencies: number[] = []
  const before = await measureCpu()
  const started = performance.now()
  const connection = async () => {
    for (let now = started; now < started + seconds * 1000; ) {
      const { body } = await request(lane)
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      const sentAt = now
      now = performance.now()
      latencies.push(now - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  const took = (performance.now() - started) / 1000
  const cpuUs = ((await measureCpu()) - before) / latencies.length
  const p99Ms = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)]
  return { rate: latencies.length / took, meanMs: mean(latencies), p99Ms: p99Ms ?? 0, cpuUs }
}

async function check(lane: Lane): Promise<void> {
  const { body: expected } = lane.contender.expects
  const { body } = await request(lane)
  const got = Buffer.from(await body.arrayBuffer())
  if (expected !== undefined && !got.equals(Buffer.from(expected))) {
    throw new Error(`${lane.name} answered something else: ${got.subarray(0, 200)}`)
  }
}

// Not fetch(), which would add headers of its own and hide a 304.
async function request({ name, contender, pool }: Lane): Promise<Dispatcher.ResponseData> {
  const { url, method = 'GET', headers = {}, nextPath, expects } = contender
  const { pathname, search } = new URL(url)
  const path = nextPath?.() ?? pathname + search
  const answer = await pool.request({ path, method, headers })
  if (answer.statusCode === expects.status) return answer
  throw new Error(`${name} answered ${answer.statusCode}: ${await answer.body.text()}`)
}
