/** A measured value, with its goal if it has one. */
export type Figure = {
  name: string
  value: number
  /** `x` for ratios, else a unit as `ms`, `KiB`, `/s`. */
  unit: string
  goal?: { op: '>=' | '<='; value: number }
}

/** Prints one line a figure, or JSON when the command was called with `--json`. */
export function report(figures: readonly Figure[], argv: readonly string[] = process.argv): void {
  const isJson = argv.includes('--json')
  const text = isJson ? JSON.stringify(figures.map(toRow), null, 2) : figures.map(toLine).join('\n')
  console.log(text)
}

/** `<name> <value><unit> goal <op><value> ok|short` */
export function toLine(figure: Figure): string {
  const { name, value, unit, goal } = figure
  const measured = `${name} ${round(value)}${unit}`
  return goal ? `${measured} goal ${goal.op}${goal.value} ${judge(value, goal)}` : measured
}

function toRow(figure: Figure) {
  const { value, goal } = figure
  return { ...figure, value: round(value), ...(goal && { verdict: judge(value, goal) }) }
}

// Judges the printed value, so that no line contradicts itself.
function judge(value: number, { op, value: limit }: NonNullable<Figure['goal']>): 'ok' | 'short' {
  const isMet = op === '>=' ? round(value) >= limit : round(value) <= limit
  return isMet ? 'ok' : 'short'
}

function round(value: number): number {
  return Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))
}
