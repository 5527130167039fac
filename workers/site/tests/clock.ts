import { createHash } from 'node:crypto'

/** A simulated clock that advances only when all other work waits for it. */
export type Clock = {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Moves the clock forward; timers that are due in this time run in order. */
  advance: (milliseconds: number) => Promise<void>
  /** Moves the clock from timer to timer until the work has settled. */
  runUntil: <T>(work: Promise<T>) => Promise<T>
}

type Timer = { dueAt: number; wake: () => void }

export function createClock(start = Date.UTC(2026, 10, 21, 8)): Clock {
  let now = start
  const timers: Timer[] = []

  return { now: () => Math.floor(now), sleep, advance, runUntil }

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      const timer = { dueAt: now + milliseconds, wake }
      const index = timers.findLastIndex(({ dueAt }) => dueAt <= timer.dueAt)
      timers.splice(index + 1, 0, timer)
    })
  }

  async function advance(milliseconds: number): Promise<void> {
    const end = now + milliseconds
    await endEventLoopTurn()
    while (timers[0] && timers[0].dueAt <= end) await runNextTimer()
    now = end
    await endEventLoopTurn()
  }

  async function runUntil<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => {
      isDone = true
    })
    watched.catch(() => {})
    await endEventLoopTurn()
    while (!isDone && timers.length > 0) await runNextTimer()
    return watched
  }

  async function runNextTimer(): Promise<void> {
    const timer = timers.shift()
    if (!timer) return
    now = Math.max(now, timer.dueAt)
    timer.wake()
    await endEventLoopTurn()
  }
}

const digest = crypto.subtle.digest.bind(crypto.subtle)

// This digest needs no other thread, so all work between two timers ends within one turn of the event loop.
crypto.subtle.digest = async (algorithm, data) => {
  if (algorithm !== 'SHA-256' || !(data instanceof Uint8Array)) return digest(algorithm, data)
  return new Uint8Array(createHash('sha256').update(data).digest()).buffer
}

const endEventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
