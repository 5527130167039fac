import { text } from 'node:stream/consumers'
import { runCommand } from '../lib/command-line.ts'

/** A comment on GitHub may have 65,536 characters; the rest of the comment needs some of them. */
const MAX_LENGTH = 60_000
const FENCE = '`'.repeat(20)

/** Returns text as a fenced code block in Markdown, which the text cannot close. */
export function toFenced(language: string, contents: string): string {
  const shown = contents.slice(0, MAX_LENGTH)
  const omitted = contents.length - shown.length
  const note = omitted > 0 ? `\n… and ${omitted} more characters.\n` : ''
  // CommonMark 4.5: only a fence at least as long closes the block.
  const escaped = shown.trimEnd().replaceAll(/`{20,}/g, FENCE.slice(1))
  return `${FENCE}${language}\n${escaped}\n${FENCE}\n${note}`
}

const COMMAND = {
  invocation: 'node ops/github/fence.ts',
  positionals: ['[language]'],
  summary: 'Prints standard input as a fenced block of Markdown.',
  options: {},
  exitCodes: { 0: 'printed' },
} as const

if (import.meta.main)
  await runCommand(COMMAND, async ({ positionals: [language = ''] }) => {
    process.stdout.write(toFenced(language, await text(process.stdin)))
  })
