/** A measured value, with its goal if it has one. */
export type Figure = {
  name: string
  value: number
  /** `x` for a ratio, otherwise a unit such as `ms`, `KiB` or `/s`. */
  unit: string
  goal?: { op: '>=' | '<='; value: number }
}

/** Prints one line per figure; JSON when the command line has `--json`. */
export function report(figures: readonly Figure[], argv: readonly string[] = process.argv): void {
  const isJson = argv.includes('--json')
  const text = isJson ? JSON.stringify(figures.map(toRow), null, 2) : figures.map(toLine).join('\n')
  console.log(text)
}

/** Returns `<name> <value><unit> goal <op><value> ok|short`. */
export function toLine(figure: Figure): string {
  const { name, value, unit, goal } = figure
  const measured = `${name} ${round(value)}${unit}`
  return goal ? `${measured} goal ${goal.op}${goal.value} ${toResult(value, goal)}` : measured
}

function toRow(figure: Figure) {
  const { value, goal } = figure
  return { ...figure, value: round(value), ...(goal && { result: toResult(value, goal) }) }
}

/**
 * Returns whether a value meets its goal. Compares the rounded value,
 * so that the printed value and result agree.
 */
function toResult(
  value: number,
  { op, value: limit }: NonNullable<Figure['goal']>,
): 'ok' | 'short' {
  const isMet = op === '>=' ? round(value) >= limit : round(value) <= limit
  return isMet ? 'ok' : 'short'
}

function round(value: number): number {
  return Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))
}
