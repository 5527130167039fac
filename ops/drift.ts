import { readFile } from 'node:fs/promises'
import { type Difference, findDrift } from '../infra/drift.ts'
import { Declaration } from '../infra/manifest.ts'
import { openCloudflare } from './lib/cloudflare.ts'
import { runCommand, toMessage } from './lib/command-line.ts'
import { toDifferenceTable } from './lib/differences.ts'
import { readLive } from './lib/live.ts'
import { openPulumi, previewRefresh, readOutputs } from './lib/refresh.ts'
import { parseStack } from './lib/stack.ts'

const COMMAND = {
  invocation: 'npm run drift --',
  positionals: ['<stack>'],
  summary: `Compares the live resources with the declaration of the stack: by \`pulumi refresh --preview-only\`, and
by Cloudflare's API, because Pulumi's refresh does not detect changed bindings.`,
  options: {
    json: { type: 'boolean', description: 'print the report as JSON' },
    outputs: {
      type: 'string',
      value: '<file>',
      description:
        "output of `pulumi stack output --json`; checks only by Cloudflare's API, without Pulumi",
    },
  },
  exitCodes: {
    0: 'no drift',
    2: 'a check could not be made, or wrong usage',
    7: 'drift',
  },
} as const

interface Report {
  stack: string
  drift: boolean
  /** Differences that Cloudflare's API shows. */
  differences: Difference[]
  /** Output of Pulumi's refresh when it found drift. */
  refresh: string | undefined
  /** A reason for each check that could not be made. */
  unchecked: string[]
}

await runCommand(
  COMMAND,
  async ({ values, positionals }) => {
    const report = await check(parseStack(positionals[0]), values.outputs)
    console.log(values.json ? JSON.stringify(report, null, 2) : toTable(report))
    return report.drift ? 7 : report.unchecked.length > 0 ? 2 : 0
  },
  { failure: 2 },
)

async function check(stack: string, outputsFile: string | undefined): Promise<Report> {
  const unchecked: string[] = []
  const attempt = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      unchecked.push(toMessage(error))
      return undefined
    })
  const cli = outputsFile === undefined ? await attempt(openPulumi()) : undefined
  const refresh = cli && (await attempt(previewRefresh(cli, stack)))
  if (refresh?.type === 'failed') unchecked.push(`pulumi refresh failed:\n${refresh.output}`)
  const stackOutputs = outputsFile ? readJson(outputsFile) : cli && readOutputs(cli, stack)
  const differences = (stackOutputs && (await attempt(compare(stack, stackOutputs)))) ?? []
  const refreshed = refresh?.type === 'drift' ? refresh.output : undefined
  const drift = differences.length > 0 || refreshed !== undefined
  return { stack, drift, differences, refresh: refreshed, unchecked: [...new Set(unchecked)] }
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}

async function compare(stack: string, outputs: Promise<unknown>): Promise<Difference[]> {
  const { success, data: declaration } = Declaration.safeParse(await outputs)
  if (!success)
    throw new Error(`The outputs of ${stack} do not describe a worker. Deploy it first.`)
  const read = openCloudflare(process.env)
  return findDrift(declaration, await readLive(read, declaration))
}

function toTable({ stack, drift, differences, refresh, unchecked }: Report): string {
  const conclusion = unchecked.length > 0 ? '' : `${stack}: no drift.`
  const parts = [
    drift ? `${stack} differs from its declaration.` : conclusion,
    toDifferenceTable(differences),
    refresh === undefined ? '' : `pulumi refresh --preview-only:\n${refresh}`,
    ...unchecked.map((reason) => `Could not be checked: ${reason}`),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}
