import { request } from 'node:http'
import autocannon from 'autocannon'

/** One side of a race: where it listens, what it is asked, and what it has to answer. */
export type Rival = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  /** The path of the next request, where each has one of its own; else that of `url`. */
  nextPath?: () => string
  expects: { status: number; body?: Buffer | string }
}
/** `cpuUs` is the CPU time of one request in microseconds, where it is measured. */
export type Turn = { rate: number; meanMs: number; p99Ms: number; cpuUs: number }
export type RaceOptions = {
  rounds: number
  seconds: number
  connections: number
  /** CPU time in microseconds that the servers have used so far. */
  measureCpu?: () => Promise<number>
}

/**
 * Drives rivals in turns, so that what else the machine does hits them alike. The first round warms
 * up and is not counted; before each turn an answer is checked, body and all, and a turn with any
 * other status throws.
 */
export async function race<Name extends string>(
  rivals: Record<Name, Rival>,
  options: RaceOptions,
): Promise<Record<Name, Turn[]>> {
  const names = Object.keys(rivals) as Name[]
  const turns = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Turn[]
  >
  for (let round = 0; round <= options.rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) {
      await check(name, rivals[name])
      const turn = await drive(name, rivals[name], options)
      if (round > 0) turns[name].push(turn)
    }
  }
  return turns
}

/** How many times the rate of `theirs` the rate of `ours` is: the median of the rounds. */
export function toRatio(ours: readonly Turn[], theirs: readonly Turn[]): number {
  return median(ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN)))
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

async function drive(
  name: string,
  rival: Rival,
  { seconds, connections, measureCpu = async () => Number.NaN }: RaceOptions,
): Promise<Turn> {
  const { url, method = 'GET', headers = {}, nextPath, expects } = rival
  const setupRequest = (each: autocannon.Request) => ({
    ...each,
    path: nextPath?.() ?? new URL(url).pathname,
  })
  const before = await measureCpu()
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    // It ends on a sample: by its default, not before a whole second.
    sampleInt: Math.min(1000, seconds * 200),
    ...(nextPath && { requests: [{ setupRequest }] }),
  })
  const statuses = Object.keys(result.statusCodeStats ?? {})
  if (result.errors > 0 || statuses.some((status) => status !== String(expects.status))) {
    throw new Error(`${name} answered ${statuses.join(', ')}, with ${result.errors} errors`)
  }
  const cpuUs = ((await measureCpu()) - before) / result.requests.total
  const rate = result.requests.total / result.duration
  return { rate, meanMs: (1000 * connections) / rate, p99Ms: result.latency.p99, cpuUs }
}

async function check(
  name: string,
  { url, method = 'GET', headers = {}, nextPath, expects }: Rival,
): Promise<void> {
  const target = new URL(nextPath?.() ?? '', url)
  const { status, body } = await ask(target, method, headers)
  const isSame = expects.body === undefined || body.equals(Buffer.from(expects.body))
  if (status !== expects.status || !isSame)
    throw new Error(`${name} answered ${status}: ${body.subarray(0, 200)}`)
}

// Not fetch(), which would add headers of its own and hide a 304.
function ask(url: URL, method: string, headers: Record<string, string>) {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async (incoming) => {
      const body = Buffer.concat(await incoming.toArray())
      resolve({ status: incoming.statusCode ?? 0, body })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
