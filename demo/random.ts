import { createHash } from 'node:crypto'

export interface Random {
  /** Returns a number from 0 to 1, excluding 1. */
  next(): number
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  /** Returns at most `count` items, from different positions and in the order of the list. */
  sample<T>(items: readonly T[], count: number): T[]
}

/** Returns a generator of random numbers; the same name yields the same numbers. */
export function createRandom(name: string): Random {
  const next = mulberry32(createHash('sha256').update(name).digest().readInt32LE())
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('Cannot pick from an empty list.')
      return item
    },
    sample: (items, count) => {
      const keys = items.map((_, index) => ({ index, key: next() }))
      const chosen = keys.sort((a, b) => a.key - b.key).slice(0, count)
      const indexes = new Set(chosen.map(({ index }) => index))
      return items.filter((_, index) => indexes.has(index))
    },
  }
}

// Mulberry32 by Tommy Ettinger (public domain): 32 bits of state, enough for made-up text.
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a UUID derived from a name (RFC 9562, version 8). */
export function toUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
