import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import { toColumns } from './table.ts'

export interface Option extends ParseArgsOptionDescriptor {
  /** Name of the value in the usage text, such as `<path>`; only for `type: 'string'`. */
  value?: string
  description: string
}

export interface Command<Options extends Record<string, Option>> {
  /** Command as typed by the operator: `npm run purge --`. */
  invocation: string
  /** Required arguments as `<stack>`, optional ones as `[path]`. */
  positionals?: readonly string[]
  summary: string
  options: Options
  /** Meaning of each exit code; 2 for wrong usage is added. */
  exitCodes: Readonly<Record<number, string>>
}

type Arguments<Options extends Record<string, Option>> = ReturnType<typeof parse<Options>>

/** An invalid command line, which ends the command with exit code 2. The message has no full stop. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const HELP = { help: { type: 'boolean', short: 'h', description: 'print this text' } } as const

/**
 * Parses the arguments of the process and runs a command; `main` returns the exit code (by default 0).
 * `--help` prints the usage text instead. An invalid command line prints one sentence and exits with 2,
 * an error prints its message and exits with `failure`.
 */
export async function runCommand<const Options extends Record<string, Option>>(
  command: Command<Options>,
  main: (parsed: Arguments<Options>) => Promise<number | undefined> | Promise<void>,
  { args = process.argv.slice(2), failure = 1 } = {},
): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(toUsage(command))
    return
  }
  try {
    process.exitCode = (await main(parse(command, args))) ?? 0
  } catch (error) {
    const isMisuse = error instanceof UsageError
    console.error(isMisuse ? `${error.message}: ${toHint(command)}` : toMessage(error))
    process.exitCode = isMisuse ? 2 : failure
  }
}

/** Returns the message of a thrown value, followed by the message of its cause. */
export function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Returns the text that `--help` prints. */
function toUsage(command: Command<Record<string, Option>>): string {
  const { invocation, positionals = [], summary, options, exitCodes } = command
  const all = { ...options, ...HELP }
  const optionsHint = Object.keys(options).length > 0 ? ['[options]'] : []
  return [
    `Usage: ${[invocation, ...positionals, ...optionsHint].join(' ')}`,
    summary,
    `Options:\n${toRows(Object.entries(all).map(toOptionRow))}`,
    `Exit codes:\n${toRows(Object.entries({ 2: 'wrong usage', ...exitCodes }))}`,
  ].join('\n\n')
}

function parse<const Options extends Record<string, Option>>(
  { positionals: expected = [], options }: Command<Options>,
  args: readonly string[],
) {
  const { values, positionals } = parseStrictly(options, args)
  const required = expected.filter((name) => name.startsWith('<'))
  const missing = required[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing`)
  const extra = positionals[expected.length]
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}"`)
  return { values, positionals }
}

function parseStrictly<const Options extends Record<string, Option>>(
  options: Options,
  args: readonly string[],
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node adds advice about escaping after the first sentence.
    throw new UsageError(toMessage(error).split('. ')[0]?.replace(/\.$/, ''))
  }
}

function toHint({ invocation }: { invocation: string }): string {
  return `\`${invocation} --help\` lists arguments and options.`
}

function toOptionRow([name, { short, value, description }]: [string, Option]): string[] {
  const flag = short ? `-${short}, --${name}` : `--${name}`
  return [value ? `${flag} ${value}` : flag, description]
}

function toRows(rows: readonly (readonly string[])[]): string {
  return toColumns(rows).replaceAll(/^/gm, '  ')
}
