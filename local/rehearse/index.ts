import { argv, exit, stdout } from 'node:process'
import { type Stack, stacks } from '../../infra/environments.ts'
import { describeCli } from '../../ops/lib/pulumi-cli.ts'
import { toSentence, UserError } from '../lib/user-error.ts'
import { openRehearsal, rehearse } from './rehearse.ts'
import { findTools } from './tools.ts'

const [name, ...others] = argv.slice(2)
const stack = stacks.find((each): each is Stack => each === name)
const running = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => running.disposeAsync().then(() => exit(1)))
}

try {
  if (stack === undefined || others.length > 0) {
    throw new UserError(`Usage: npm run rehearse -- <stack>\nThe stacks are ${stacks.join(', ')}.`)
  }
  const tools = await findTools(process.env)
  const { version, found } = tools.provider
  say(`\n  Rehearsing ${stack} on this machine: nothing outside it is called or changed.`)
  say(`  ${describeCli(tools.cli)} AWS is a stand-in.`)
  say(
    found
      ? `  Cloudflare's own provider ${version} talks to a Cloudflare API of this machine.\n`
      : `  Cloudflare's provider ${version} cannot be had here, so a stand-in takes its place.\n` +
          `  For the real one: pulumi plugin install resource cloudflare ${version}\n`,
  )
  const rehearsal = await openRehearsal(tools, running)
  await rehearse(rehearsal, stack, tell).catch((error) => {
    throw new UserError(`${toSentence(error)}\n\nLogs: ${rehearsal.keepLogs()}`)
  })
  say('\n  All as it should be.\n')
} catch (error) {
  console.error(error instanceof UserError ? `\n${error.message}` : error)
  process.exitCode = 1
} finally {
  await running.disposeAsync()
}

async function tell(title: string, act: Promise<string>): Promise<void> {
  const start = performance.now()
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`
  try {
    const seen = await act
    say(`  ✓ ${title} (${seconds()})\n    ${seen}`)
  } catch (error) {
    say(`  ✗ ${title}`)
    throw error
  }
}

function say(line: string): void {
  stdout.write(`${line}\n`)
}
