import { runCommand } from '../lib/command-line.ts'
import { parseStack } from '../lib/stack.ts'
import { checkStack } from './checks.ts'
import { toExitCode, toReport } from './findings.ts'

const COMMAND = {
  invocation: 'npm run doctor --',
  positionals: ['<stack>'],
  summary: `Checks everything that a deployment of the stack needs, and prints the commands that fix failed checks.
It changes nothing. ✓ passed, ✗ failed, ? could not be checked.`,
  options: { json: { type: 'boolean', description: 'print the findings as JSON' } },
  exitCodes: { 0: 'ready', 1: 'not ready', 2: 'a check could not be made, or wrong usage' },
} as const

await runCommand(
  COMMAND,
  async ({ values, positionals }) => {
    const stack = parseStack(positionals[0])
    const findings = await checkStack(stack, process.env, process.cwd())
    console.log(values.json ? JSON.stringify(findings, null, 2) : toReport(stack, findings))
    return toExitCode(findings)
  },
  { failure: 2 },
)
