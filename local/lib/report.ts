import { styleText } from 'node:util'
import { toColumns } from '../../ops/lib/table.ts'

/** Output of a start, with the time that each part took. */
export interface Report {
  /** Times a part; parts may overlap. */
  time<T>(part: string, work: Promise<T>): Promise<T>
  /** One line on how far a long part is; shown only where it can be written over. */
  progress(text: string, done: number, total: number): void
  /** A heading and rows of cells, aligned. */
  table(heading: string, rows: readonly string[][]): void
  line(text: string): void
  /** The parts in the order in which they ended, and the whole. */
  times(): string
}

export function createReport(out: NodeJS.WriteStream): Report {
  const took: [part: string, ms: number][] = []
  const dim = (text: string) => styleText('dim', text, { stream: out })
  const bold = (text: string) => styleText('bold', text, { stream: out })
  return {
    async time(part, work) {
      const start = performance.now()
      const result = await work
      took.push([part, performance.now() - start])
      return result
    },
    progress(text, done, total) {
      if (!out.isTTY) return
      const width = Math.round((20 * done) / total)
      const bar = '█'.repeat(width) + dim('░'.repeat(20 - width))
      out.write(done < total ? `\r  ${text} ${bar} ${done}/${total}` : '\r\x1b[K')
    },
    table(heading, rows) {
      out.write(`\n  ${bold(heading)}\n`)
      for (const line of toColumns(rows).split('\n')) out.write(`  ${line}\n`)
    },
    line: (text) => out.write(`${text}\n`),
    times: () => took.map(([part, ms]) => `${part} ${Math.round(ms)} ms`).join(dim(' · ')),
  }
}
