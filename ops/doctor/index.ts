import { runCommand } from '../lib/command-line.ts'
import { findPulumi } from '../lib/pulumi-cli.ts'
import { parseStack } from '../lib/stack.ts'
import { checkAws } from './aws.ts'
import { checkCloudflare } from './cloudflare.ts'
import { toExitCode, toReport } from './findings.ts'
import { checkState } from './state.ts'
import { readTarget } from './target.ts'
import { checkTools } from './tools.ts'

const command = {
  invocation: 'npm run doctor --',
  positionals: ['<stack>'],
  summary: `Checks everything that a deployment of the stack needs, and prints the command that mends what is
missing. It changes nothing. ✓ passed, ✗ failed, ? could not be checked.`,
  options: { json: { type: 'boolean', description: 'the findings as JSON' } },
  exitCodes: { 0: 'ready', 1: 'not ready', 2: 'a check could not be made, or wrong usage' },
} as const

await runCommand(
  command,
  async ({ values, positionals }) => {
    const { env } = process
    const stack = parseStack(positionals[0])
    const [cli, target] = await Promise.all([findPulumi(env), readTarget(stack, process.cwd())])
    const findings = (
      await Promise.all([
        checkTools(cli, env),
        checkState(stack, cli, env),
        checkCloudflare(target, env),
        checkAws(target, env),
      ])
    ).flat()
    console.log(values.json ? JSON.stringify(findings, null, 2) : toReport(stack, findings))
    return toExitCode(findings)
  },
  { failure: 2 },
)
