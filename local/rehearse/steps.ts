import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { environments, type Stack } from '../../infra/environments.ts'
import type { DeployTarget } from '../deploy-target.ts'
import { root } from '../lib/paths.ts'
import { UserError } from '../lib/user-error.ts'
import { askDeployed } from './pages.ts'
import { publishThemes } from './publish-theme.ts'
import type { CliOutput, Workspace } from './workspace.ts'

export interface Rehearsal {
  cloud: DeployTarget
  workspace: Workspace
  /** Keeps the folder with the logs after the rehearsal; returns its path. */
  keepLogs(): string
}

/** A step throws a UserError when its result is not the expected one. */
export interface Step {
  title: string
  /** Returns a line with the result. */
  act(rehearsal: Rehearsal, stack: Stack): Promise<string>
}

const POLICIES = join(root, 'infra/policy/index.ts')
const DRIFT = 7

/** Steps from the creation of a stack to its removal. */
export const steps: readonly Step[] = [
  {
    title: 'preview, held to the policies',
    act: pulumi('preview', '--policy-pack', POLICIES),
  },
  { title: 'up', act: pulumi('up', '--yes', '--skip-preview') },
  { title: 'preview again: nothing to do', act: pulumi('preview', '--expect-no-changes') },
  {
    title: 'ask for what was deployed',
    act: ({ cloud }, stack) => askDeployed(cloud, stack),
  },
  { title: 'publish a theme, and roll it back', act: publishThemes },
  { title: 'drift: nothing', act: drift(0) },
  { title: 'changes by hand', act: changeByHand },
  { title: 'drift: seen', act: drift(DRIFT) },
  { title: 'refresh: the state learns of it', act: pulumi('refresh', '--yes', '--skip-preview') },
  { title: 'up: mended', act: pulumi('up', '--yes', '--skip-preview') },
  { title: 'drift: nothing again', act: drift(0) },
  {
    title: 'ask again',
    act: ({ cloud }, stack) => askDeployed(cloud, stack),
  },
]

/**
 * Destroys a stack as an operator does, with the preview before it. For prod the CLI rejects that
 * preview, and all URLs must respond as before.
 */
export const destroy: Step = {
  title: 'destroy',
  async act({ cloud, workspace }, stack) {
    const { code, output } = await workspace.pulumi(stack, ['destroy', '--yes'])
    if (environments[stack].tier.protect) {
      if (code === 0 || !output.includes('protected')) throw new UserError(output)
      return `refused, since it holds protected data; ${await askDeployed(cloud, stack)}`
    }
    if (code !== 0) throw new UserError(output)
    const left = cloud.account.environments().find((each) => each.stack === stack)
    if (left) throw new UserError(`The script ${left.script} is still there.`)
    return summarise(output)
  },
}

/** Runs the CLI; an error has the CLI's own message. */
export function pulumi(...args: string[]): Step['act'] {
  return async ({ workspace }, stack) => {
    const { code, output }: CliOutput = await workspace.pulumi(stack, args)
    if (code !== 0) throw new UserError(toReason(output))
    return summarise(output)
  }
}

/** `npm run drift -- <stack>`, which must end with `expected`. */
function drift(expected: number): Step['act'] {
  return async ({ workspace }, stack) => {
    const { code, output } = await run(workspace, [join(root, 'ops/drift.ts'), stack])
    if (code === expected) return expected === 0 ? 'as declared' : toFindings(output)
    throw new UserError(`npm run drift ended with ${code} instead of ${expected}:\n${output}`)
  }
}

/** Switches workers.dev on and deletes the invalidation log, where there is one. */
async function changeByHand({ cloud }: Rehearsal, stack: string): Promise<string> {
  const { environments: list, access } = cloud.account
  const script = list().find((each) => each.stack === stack)?.script
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

function run({ env, folder }: Workspace, args: readonly string[]): Promise<CliOutput> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env, cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: `${stdout}${stderr}`.trim() }),
    )
  })
}

/** Returns the counts at the end of the CLI's output, such as `15 unchanged`. */
function summarise(output: string): string {
  // An update that previews first prints the counts of both.
  const [, counts = ''] = [...output.matchAll(/\nResources:\n((?: {4}.*(?:\n|$))+)/g)].at(-1) ?? []
  return counts.trim().split(/\n\s*/).join(', ') || (output.split('\n').at(-1) ?? '')
}

/** The diagnostics of the CLI, without the events before them. */
function toReason(output: string): string {
  const [events = '', diagnostics] = output.split('Diagnostics:\n')
  return (diagnostics ?? events).split('\nResources:')[0]?.trim() ?? output
}

function toFindings(output: string): string {
  const lines = output.split('\n').filter((each) => /^(workers\.dev|database) /.test(each))
  return lines.map((line) => line.replaceAll(/ {2,}/g, ' · ')).join('; ') || output
}
