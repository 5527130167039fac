import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** Integers, both ends included. */
  between(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  /** Different items, in the order of the list. */
  sample<T>(items: readonly T[], count: number): T[]
}

/** A generator whose numbers follow from its name alone. */
export function createRandom(name: string): Random {
  const generator = xoroshiro128plus(createHash('sha256').update(name).digest().readInt32LE())
  const next = () => uniformFloat64(generator)
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from')
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

/** A UUID that follows from a name (RFC 9562, version 8). */
export function toUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
