import { createHash } from 'node:crypto'

/** A simulated clock that advances only when all other work waits for it. */
export type Clock = {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Runs all that falls due within the time, in order. */
  advance: (milliseconds: number) => Promise<void>
  /** Moves the clock from timer to timer until the work is done. */
  until: <T>(work: Promise<T>) => Promise<T>
}

type Timer = { at: number; ring: () => void }

export function createClock(start = Date.UTC(2026, 10, 21, 8)): Clock {
  let now = start
  const timers: Timer[] = []

  return { now: () => Math.floor(now), sleep, advance, until }

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((ring) => {
      const timer = { at: now + milliseconds, ring }
      const index = timers.findLastIndex(({ at }) => at <= timer.at)
      timers.splice(index + 1, 0, timer)
    })
  }

  async function advance(milliseconds: number): Promise<void> {
    const end = now + milliseconds
    await settle()
    while (timers[0] && timers[0].at <= end) await ring()
    now = end
    await settle()
  }

  async function until<T>(work: Promise<T>): Promise<T> {
    let done = false
    const watched = work.finally(() => {
      done = true
    })
    watched.catch(() => {})
    await settle()
    while (!done && timers.length > 0) await ring()
    return watched
  }

  async function ring(): Promise<void> {
    const timer = timers.shift()
    if (!timer) return
    now = Math.max(now, timer.at)
    timer.ring()
    await settle()
  }
}

const digest = crypto.subtle.digest.bind(crypto.subtle)

// Digests of the worker need no other thread, so that its work between two timers ends within one turn of the event loop.
crypto.subtle.digest = async (algorithm, data) => {
  if (algorithm !== 'SHA-256' || !(data instanceof Uint8Array)) return digest(algorithm, data)
  return new Uint8Array(createHash('sha256').update(data).digest()).buffer
}

const settle = (): Promise<void> => new Promise((done) => setImmediate(done))
