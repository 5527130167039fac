import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toErrorMessage, UserError } from './lib/user-error.ts'

export interface StartOptions {
  /** Port of the edge; 0: any free port. */
  port: number
  /** Absolute path of the data folder. */
  data: string
  /** Articles that a new database is seeded with; undefined: only the demo's. */
  articles: number | undefined
  /** Stacks to run, besides those that they refer to. */
  stacks: string[]
  /** Start without resources; the Pulumi CLI and Cloudflare's API add them. */
  empty: boolean
  /** Reload the services that a saved file affects. */
  watch: boolean
}

export const HELP = `Runs every environment of this project on this machine.

  npm start -- [options]

  --port N        port of the edge (8787); other services use the free ports after it
  --data FOLDER   folder for data, secrets and logs (.local)
  --articles N    articles that a new database is seeded with, up to 100000
  --env NAME…     start only these environments, and those that they refer to
  --empty         start without resources; \`pulumi up\` and Cloudflare's API add them
  --watch         reload the services that a saved file affects, as \`npm run dev\` does
  --help          print this text

Exit codes: 0 stopped by a signal, 1 a service failed or the command line is wrong.`

/**
 * Parses the command line; returns undefined for `--help`.
 *
 * @throws UserError when the command line is wrong
 */
export function parseOptions(
  args: string[],
  allStacks: readonly string[],
): StartOptions | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const stacks = [...(values.env ?? []), ...positionals]
  if (positionals.length > 0 && values.env === undefined) {
    throw new UserError(`"${positionals[0]}" is not an option: --help lists them.`)
  }
  const unknown = stacks.find((stack) => !allStacks.includes(stack))
  if (unknown !== undefined) {
    throw new UserError(`There is no environment "${unknown}", only ${allStacks.join(', ')}.`)
  }
  if (values.empty && stacks.length > 0)
    throw new UserError('--empty starts without environments: omit --env.')
  if (values.empty && values.watch)
    throw new UserError('--empty runs nothing from the files of the project: omit --watch.')
  return {
    port: parseNumber('port', values.port ?? '8787', 65_535),
    data: resolve(values.data ?? '.local'),
    articles:
      values.articles === undefined ? undefined : parseNumber('articles', values.articles, 100_000),
    stacks: stacks.length > 0 ? stacks : [...allStacks],
    empty: values.empty ?? false,
    watch: values.watch ?? false,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        articles: { type: 'string' },
        env: { type: 'string', multiple: true },
        empty: { type: 'boolean' },
        watch: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UserError(`${toErrorMessage(error).split('. ')[0]}: --help lists the options.`)
  }
}

function parseNumber(option: string, text: string, max: number): number {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
  throw new UserError(`--${option} takes a number from 0 to ${max}, not "${text}".`)
}
