import { join } from 'node:path'
import { environments } from '../../infra/environments.ts'
import { root } from '../lib/paths.ts'
import { type CommandOutput, runToEnd } from '../lib/run-to-end.ts'
import { UserError } from '../lib/user-error.ts'
import { checkPages } from './pages.ts'
import { publishThemes } from './publish-theme.ts'
import type { Rehearsal, Step } from './step.ts'
import type { Workspace } from './workspace.ts'

const POLICIES = join(root, 'infra/policy/index.ts')
/** Exit code of `npm run drift` when it finds differences. */
const DRIFT_FOUND = 7

/** Steps of a rehearsal before the stack is destroyed. */
export const steps: readonly Step[] = [
  {
    title: 'preview with the policies',
    run: pulumi('preview', '--policy-pack', POLICIES),
  },
  { title: 'up', run: pulumi('up', '--yes', '--skip-preview') },
  { title: 'preview: nothing to do', run: pulumi('preview', '--expect-no-changes') },
  {
    title: 'request the pages',
    run: ({ cloud }, stack) => checkPages(cloud, stack),
  },
  { title: 'publish a theme, and roll it back', run: publishThemes },
  { title: 'drift: nothing', run: checkDrift(0) },
  { title: 'change resources by hand', run: changeByHand },
  { title: 'drift: found', run: checkDrift(DRIFT_FOUND) },
  { title: 'refresh', run: pulumi('refresh', '--yes', '--skip-preview') },
  { title: 'up: repairs the changes', run: pulumi('up', '--yes', '--skip-preview') },
  { title: 'drift: nothing again', run: checkDrift(0) },
  {
    title: 'request the pages again',
    run: ({ cloud }, stack) => checkPages(cloud, stack),
  },
]

/**
 * Destroys a stack as an operator does, with a preview first. For prod the CLI must reject that preview, and
 * all URLs must respond as before.
 */
export const destroy: Step = {
  title: 'destroy',
  async run({ cloud, workspace }, stack) {
    const { code, output } = await workspace.pulumi(stack, ['destroy', '--yes'])
    if (environments[stack].tier.protect) {
      if (code === 0 || !output.includes('protected')) throw new UserError(output)
      return `rejected, since its data is protected; ${await checkPages(cloud, stack)}`
    }
    if (code !== 0) throw new UserError(output)
    const left = cloud.account.environments().find((each) => each.stack === stack)
    if (left) throw new UserError(`The script ${left.script} still exists.`)
    return summarise(output)
  },
}

/** Returns a step that runs the CLI, and fails with the CLI's message. */
export function pulumi(...args: string[]): Step['run'] {
  return async ({ workspace }, stack) => {
    const { code, output } = await workspace.pulumi(stack, args)
    if (code !== 0) throw new UserError(toReason(output))
    return summarise(output)
  }
}

/** Returns a step that runs `npm run drift -- <stack>`, which must exit with `expected`. */
function checkDrift(expected: number): Step['run'] {
  return async ({ workspace }, stack) => {
    const { code, output } = await runDrift(workspace, stack)
    if (code === expected) return expected === 0 ? 'as declared' : toFindings(output)
    throw new UserError(`npm run drift ended with ${code} instead of ${expected}:\n${output}`)
  }
}

/** Switches workers.dev on, and deletes the invalidation log of a site. */
async function changeByHand({ cloud }: Rehearsal, stack: string): Promise<string> {
  const { access } = cloud.account
  const script = cloud.account.environments().find((each) => each.stack === stack)?.script
  const account = `${access.CLOUDFLARE_BASE_URL}/accounts/any`
  const call = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${access.CLOUDFLARE_API_TOKEN}`,
      'content-type': 'application/json',
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${account}${path}`, init)
    if (!response.ok) throw new UserError(await response.text())
  }
  await call('POST', `/workers/scripts/${script}/subdomain`, { enabled: true })
  const [database] =
    [...cloud.cloudflare.databases].find(([, { name }]) => name.startsWith(`${script}-`)) ?? []
  if (database === undefined) return 'workers.dev is on'
  await call('DELETE', `/d1/database/${database}`)
  return 'workers.dev is on, the invalidation log is deleted'
}

function runDrift({ env, folder }: Workspace, stack: string): Promise<CommandOutput> {
  const args = [join(root, 'ops/drift.ts'), stack]
  return runToEnd({ command: process.execPath, args, cwd: folder, env })
}

/** Returns the counts at the end of the CLI's output, such as `15 unchanged`. */
function summarise(output: string): string {
  // An update that previews first prints the counts of both.
  const [, counts = ''] = [...output.matchAll(/\nResources:\n((?: {4}.*(?:\n|$))+)/g)].at(-1) ?? []
  return counts.trim().split(/\n\s*/).join(', ') || (output.split('\n').at(-1) ?? '')
}

/** Returns the diagnostics in the CLI's output, without the events before them. */
function toReason(output: string): string {
  const [events = '', diagnostics] = output.split('Diagnostics:\n')
  return (diagnostics ?? events).split('\nResources:')[0]?.trim() ?? output
}

function toFindings(output: string): string {
  const lines = output.split('\n').filter((each) => /^(workers\.dev|database) /.test(each))
  return lines.map((line) => line.replaceAll(/ {2,}/g, ' · ')).join('; ') || output
}
