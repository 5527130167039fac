/** Steps: nodes of templates and turns of loops. Cost: characters moved and array elements copied. */
export type Bounds = { steps: number; cost: number }

const MAX_DEPTH = 16

/** Counts what rendering one page takes, within bounds that nest as its templates do. */
export class Budget {
  #used: Bounds = { steps: 0, cost: 0 }
  readonly #limits: Bounds[] = []
  #broken: Bounds | undefined

  /** Runs within bounds of its own. Throws on what it fails with only when an outer bound broke. */
  attempt<T>(bounds: Bounds, run: () => T, onFailure: (error: unknown) => void): T | undefined {
    if (this.#limits.length > MAX_DEPTH) throw new Error('Templates are nested too deeply')
    const { steps, cost } = this.#used
    const limit = { steps: steps + bounds.steps, cost: cost + bounds.cost }
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
    this.#spend({ ...this.#used, steps: this.#used.steps + 1 })
  }

  spend(cost: number): void {
    if (cost > 0) this.#spend({ ...this.#used, cost: this.#used.cost + cost })
  }

  // The innermost bound that breaks names the template at fault.
  #spend(used: Bounds): void {
    this.#broken = this.#limits.findLast(
      ({ steps, cost }) => used.steps > steps || used.cost > cost,
    )
    if (this.#broken) throw new Error('The template takes too much')
    this.#used = used
  }
}
