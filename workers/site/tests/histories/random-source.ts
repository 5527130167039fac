import { createRandom } from '../random.ts'

export interface RandomSource {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer from `from` to below `to`. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Creates random decisions, which are the same for the same seed. */
export function createRandomSource(seed: number): RandomSource {
  const next = createRandom(seed)
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const picked = list[between(0, list.length)]
      if (picked === undefined) throw new Error('Cannot pick from an empty list')
      return picked
    },
  }
}
