/** Steps: template nodes and loop iterations. Cost: characters written and array elements copied. */
export type Bounds = { steps: number; cost: number }

const MAX_DEPTH = 16

/** Counts the steps and cost of rendering one page. Bounds are nested like the templates. */
export class Budget {
  #steps = 0
  #cost = 0
  /** Counts of `#steps` and `#cost` at which the bounds of each nested template end. */
  readonly #limits: Bounds[] = []
  #exceeded: Bounds | undefined

  /**
   * Runs a function within additional bounds; when it fails, calls `onFailure` and returns undefined.
   *
   * @throws Error when the function exceeds an outer bound
   */
  attempt<T>(bounds: Bounds, run: () => T, onFailure: (error: unknown) => void): T | undefined {
    if (this.#limits.length > MAX_DEPTH) throw new Error('Templates are nested more than 16 deep')
    const limit = { steps: this.#steps + bounds.steps, cost: this.#cost + bounds.cost }
    this.#limits.push(limit)
    try {
      return run()
    } catch (error) {
      if (this.#exceeded && this.#exceeded !== limit) throw error
      this.#exceeded = undefined
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

  // The template with the innermost exceeded bound caused the error.
  #check(steps: number, cost: number): void {
    this.#exceeded = this.#limits.findLast((limit) => steps > limit.steps || cost > limit.cost)
    if (this.#exceeded) throw new Error('Template exceeded its render budget')
  }
}
