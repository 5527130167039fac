import { describeCli, type PulumiCli, requirePulumi, runCli } from './pulumi-cli.ts'

/** Result of Pulumi's refresh; `output` is the output of the CLI, which masks secrets. */
export interface Refresh {
  type: 'same' | 'drift' | 'failed'
  output: string
}

/** Exit code of the CLI with `--expect-no-changes` when there are changes. */
const CHANGES_EXIT_CODE = 7

/**
 * Finds the Pulumi CLI and prints its version and path to stderr.
 * @throws Error when none is installed
 */
export async function openPulumi(): Promise<PulumiCli> {
  const cli = await requirePulumi()
  console.error(describeCli(cli))
  return cli
}

/** Runs `pulumi refresh --preview-only`, which changes neither the state nor resources. */
export async function previewRefresh(cli: PulumiCli, stack: string): Promise<Refresh> {
  const { code, out, error } = await runCli(cli.path, [
    'refresh',
    '--stack',
    stack,
    '--preview-only',
    '--expect-no-changes',
    '--diff',
    '--suppress-progress',
    '--non-interactive',
    '--color',
    'never',
  ])
  const type = code === 0 ? 'same' : code === CHANGES_EXIT_CODE ? 'drift' : 'failed'
  return { type, output: `${out}${error}`.trim() }
}

/**
 * Reads the outputs of a stack; the CLI masks secrets.
 * @throws Error when the state cannot be read
 */
export async function readOutputs(cli: PulumiCli, stack: string): Promise<unknown> {
  const args = ['stack', 'output', '--json', '--stack', stack]
  const { code, out, error } = await runCli(cli.path, args)
  if (code !== 0) throw new Error(`Cannot read the outputs of ${stack}: ${error.trim()}`)
  return JSON.parse(out)
}
