import { describeCli, type PulumiCli, requirePulumi, runCli } from './pulumi-cli.ts'

/** Result of Pulumi's own refresh; `output` is what the CLI printed, secrets masked. */
export interface Refresh {
  type: 'same' | 'drift' | 'failed'
  output: string
}

/** Exit code of the CLI when `--expect-no-changes` is not met. */
const CHANGES = 7

/** The CLI in use, named on stderr. @throws Error when none is installed */
export async function openPulumi(): Promise<PulumiCli> {
  const cli = await requirePulumi()
  console.error(describeCli(cli))
  return cli
}

/** `pulumi refresh` of a stack that changes neither state nor cloud. */
export async function previewRefresh(cli: PulumiCli, stack: string): Promise<Refresh> {
  const { code, out, error } = await runCli(cli.path, [
    ...['refresh', '--stack', stack, '--preview-only', '--expect-no-changes'],
    ...['--diff', '--suppress-progress', '--non-interactive', '--color', 'never'],
  ])
  const type = code === 0 ? 'same' : code === CHANGES ? 'drift' : 'failed'
  return { type, output: `${out}${error}`.trim() }
}

/** A stack's outputs, secrets masked. @throws Error when the state cannot be read */
export async function readOutputs(cli: PulumiCli, stack: string): Promise<unknown> {
  const args = ['stack', 'output', '--json', '--stack', stack]
  const { code, out, error } = await runCli(cli.path, args)
  if (code !== 0) throw new Error(`Cannot read the outputs of ${stack}: ${error.trim()}`)
  return JSON.parse(out)
}
