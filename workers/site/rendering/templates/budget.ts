/** Steps: nodes of templates and turns of loops. Cost: characters moved and array elements copied. */
export type Bounds = { steps: number; cost: number }

const MAX_DEPTH = 16

/** Counts what rendering one page takes, within bounds that nest as its templates do. */
export class Budget {
  #steps = 0
  #cost = 0
  readonly #limits: Bounds[] = []
  #broken: Bounds | undefined

  /** Runs within bounds of its own. Throws on what it fails with only when an outer bound broke. */
  attempt<T>(bounds: Bounds, run: () => T, onFailure: (error: unknown) => void): T | undefined {
    if (this.#limits.length > MAX_DEPTH) throw new Error('Templates are nested too deeply')
    const limit = { steps: this.#steps + bounds.steps, cost: this.#cost + bounds.cost }
    this.#limits.push(limit)
    try {
      return run()
    } catch (error) {
      if (this.#broken && this.#broken !== limit) throw error
      this.#broken = undefined
      onFailure(error)
      return undefined
    } finally {
      this.#limits.pop()
    }
  }

  step(): void {
    this.#check(this.#steps + 1, this.#cost)
    this.#steps++
  }

  spend(cost: number): void {
    if (!(cost > 0)) return
    this.#check(this.#steps, this.#cost + cost)
    this.#cost += cost
  }

  // The innermost bound that breaks names the template at fault.
  #check(steps: number, cost: number): void {
    this.#broken = this.#limits.findLast((limit) => steps > limit.steps || cost > limit.cost)
    if (this.#broken) throw new Error('The template takes too much')
  }
}
