import { exit, stdout } from 'node:process'
import { runCommand } from '../../ops/lib/command-line.ts'
import { describeCli } from '../../ops/lib/pulumi-cli.ts'
import { parseStack } from '../../ops/lib/stack.ts'
import { createReport, type Report } from '../lib/report.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'
import { openRehearsal, rehearse } from './rehearse.ts'
import { findTools } from './tools.ts'

const command = {
  invocation: 'npm run rehearse --',
  positionals: ['<stack>'],
  summary: `Deploys a stack to this machine with the Pulumi CLI, requests its pages, changes resources
without Pulumi as a person would in a dashboard, repairs them and destroys the stack. Stacks that it
refers to are deployed first and destroyed last. Nothing outside this machine is called, except to
install Cloudflare's provider if it is missing.`,
  options: {},
  exitCodes: {
    0: 'every step had the expected result',
    1: 'a step failed, or a tool is missing',
  },
} as const

const cleanup = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => cleanup.disposeAsync().then(() => exit(1)))
}

await runCommand(command, async ({ positionals }) => {
  const stack = parseStack(positionals[0])
  const report = createReport(stdout)
  try {
    const tools = await findTools(process.env)
    const { version, isInstalled } = tools.provider
    report.line(`\n  Rehearsing ${stack}: nothing outside this machine is called or changed.`)
    report.line(`  ${describeCli(tools.cli)} AWS is emulated.`)
    report.line(
      isInstalled
        ? `  Cloudflare's provider ${version} uses the emulated Cloudflare API.\n`
        : `  Cloudflare's provider ${version} is not installed; an emulated provider replaces it.\n` +
            `  To install it: pulumi plugin install resource cloudflare ${version}\n`,
    )
    const rehearsal = await openRehearsal(tools, cleanup)
    await rehearse(rehearsal, stack, (title, work) => reportStep(report, title, work)).catch(
      (error) => {
        throw new UserError(`\n${toErrorMessage(error)}\n\nLogs: ${rehearsal.keepLogs()}`)
      },
    )
    report.line('\n  Every step had the expected result.\n')
  } finally {
    await cleanup.disposeAsync()
  }
})

async function reportStep(report: Report, title: string, work: Promise<string>): Promise<void> {
  const start = performance.now()
  try {
    const result = await work
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    report.line(`  ✓ ${title} (${seconds} s)\n    ${result}`)
  } catch (error) {
    report.line(`  ✗ ${title}`)
    throw error
  }
}
