import { text } from 'node:stream/consumers'
import { runCommand } from '../lib/command-line.ts'

/** A comment on GitHub may hold 65,536 characters. */
const LIMIT = 60_000
const FENCE = '`'.repeat(20)

/** Text that may hold anything as a block of code in Markdown, out of which nothing in it can break. */
export function toFenced(language: string, contents: string): string {
  const shown = contents.slice(0, LIMIT)
  const rest = contents.length - shown.length
  const note = rest > 0 ? `\n… and ${rest} characters more.\n` : ''
  // CommonMark 4.5: only a fence at least as long closes the block.
  const harmless = shown.trimEnd().replaceAll(/`{20,}/g, FENCE.slice(1))
  return `${FENCE}${language}\n${harmless}\n${FENCE}\n${note}`
}

const command = {
  invocation: 'node ops/github/fence.ts',
  positionals: ['[language]'],
  summary: 'Prints standard input as a fenced block of Markdown.',
  options: {},
  exitCodes: { 0: 'printed' },
} as const

if (import.meta.main)
  await runCommand(command, async ({ positionals: [language = ''] }) => {
    process.stdout.write(toFenced(language, await text(process.stdin)))
  })
