import { argv, exit, stdout } from 'node:process'
import { stacks } from '../infra/environments.ts'
import { createReport } from './lib/report.ts'
import { UserError } from './lib/user-error.ts'
import { HELP, parseOptions } from './options.ts'

const cleanup = new AsyncDisposableStack()
const stop = async (code: number) => {
  // A further signal exits without cleaning up.
  for (const signal of signals) process.once(signal, () => exit(code))
  await cleanup.disposeAsync()
  exit(code)
}
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

try {
  const options = parseOptions(argv.slice(2), stacks)
  if (!options) {
    console.log(HELP)
    exit(0)
  }
  for (const signal of signals) process.once(signal, () => stop(0))
  const report = createReport(stdout)
  report.line(`\n  Starting ${options.empty ? 'empty' : options.stacks.join(', ')}`)
  const [start, { printSummary }] = await Promise.all([
    options.empty
      ? import('./deploy-target.ts').then(({ startDeployTarget }) => startDeployTarget)
      : import('./start.ts').then(({ startCloud }) => startCloud),
    import('./summary.ts'),
  ])
  const cloud = await start(options, report, cleanup)
  printSummary(cloud, report)
  await cloud.failure
} catch (error) {
  console.error(error instanceof UserError ? `\n${error.message}` : error)
  await stop(1)
}
