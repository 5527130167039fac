import { styleText } from 'node:util'
import { toColumns } from '../../ops/lib/table.ts'

/** Prints the progress of a start and the duration of its parts. */
export interface Report {
  /** Measures a part of the start, and shows its name on a terminal while it runs; parts may overlap. */
  time<T>(part: string, work: Promise<T>): Promise<T>
  /** Shows a progress bar; only on a terminal. */
  progress(text: string, done: number, total: number): void
  /** Prints a heading and a table. */
  table(heading: string, rows: readonly string[][]): void
  line(text: string): void
  /** Returns the durations of the parts, in the order in which they ended. */
  times(): string
}

export function createReport(out: NodeJS.WriteStream): Report {
  const durations: [part: string, ms: number][] = []
  const dim = (text: string) => styleText('dim', text, { stream: out })
  const bold = (text: string) => styleText('bold', text, { stream: out })
  const currentParts = new Set<string>()
  // On a terminal, the last line is a status that the next output overwrites.
  const showStatus = (status: string) => {
    if (out.isTTY) out.write(`\r\x1b[K${status}`)
  }
  const showParts = () => {
    showStatus(currentParts.size === 0 ? '' : dim(`  ${[...currentParts].join(', ')} …`))
  }
  const write = (text: string) => {
    showStatus('')
    out.write(`${text}\n`)
    showParts()
  }
  return {
    async time(part, work) {
      const startedAt = performance.now()
      currentParts.add(part)
      showParts()
      try {
        const result = await work
        const ms = performance.now() - startedAt
        durations.push([part, ms])
        if (!out.isTTY) write(`  ${part} ${Math.round(ms)} ms`)
        return result
      } finally {
        currentParts.delete(part)
        showParts()
      }
    },
    progress(text, done, total) {
      const width = Math.round((20 * done) / total)
      const bar = '█'.repeat(width) + dim('░'.repeat(20 - width))
      if (done < total) showStatus(`  ${text} ${bar} ${done}/${total}`)
      else showParts()
    },
    table(heading, rows) {
      write(`\n  ${bold(heading)}`)
      for (const line of toColumns(rows).split('\n')) write(`  ${line}`)
    },
    line: write,
    times: () => durations.map(([part, ms]) => `${part} ${Math.round(ms)} ms`).join(dim(' · ')),
  }
}
