import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { environments, type Stack } from '../../infra/environments.ts'
import type { DeployTarget } from '../deploy-target.ts'
import { root } from '../lib/paths.ts'
import { UserError } from '../lib/user-error.ts'
import { askDeployed } from './pages.ts'
import type { Ran, Workspace } from './workspace.ts'

export interface Rehearsal {
  cloud: DeployTarget
  workspace: Workspace
  /** Leaves the folder with the logs where it is; gives its path. */
  keepLogs(): string
}

/** A step throws a UserError when the rehearsal shows something else than it should. */
export interface Step {
  title: string
  /** Gives a line on what was seen. */
  act(rehearsal: Rehearsal, stack: Stack): Promise<string>
}

const POLICIES = join(root, 'infra/policy/index.ts')
const DRIFT = 7

/** The life of a stack from nothing to nothing. */
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
  { title: 'drift: nothing', act: drift(0) },
  { title: 'somebody switches workers.dev on by hand', act: switchWorkersDev },
  { title: 'drift: seen', act: drift(DRIFT) },
  { title: 'refresh: the state learns of it', act: pulumi('refresh', '--yes', '--skip-preview') },
  { title: 'up: mended', act: pulumi('up', '--yes', '--skip-preview') },
  { title: 'drift: nothing again', act: drift(0) },
]

/** Takes a stack away, or sees that it may not be: what is protected refuses. */
export const destroy: Step = {
  title: 'destroy',
  async act({ cloud, workspace }, stack) {
    const { code, said } = await workspace.pulumi(stack, ['destroy', '--yes', '--skip-preview'])
    if (environments[stack].tier.protect) {
      if (code === 0 || !said.includes('protected')) throw new UserError(said)
      return 'refused, since it holds protected data'
    }
    if (code !== 0) throw new UserError(said)
    const left = cloud.account.environments().find((each) => each.stack === stack)
    if (left) throw new UserError(`The script ${left.script} is still there.`)
    return summarise(said)
  },
}

/** Runs the CLI; a failure is told in its own words. */
export function pulumi(...args: string[]): Step['act'] {
  return async ({ workspace }, stack) => {
    const { code, said }: Ran = await workspace.pulumi(stack, args)
    if (code !== 0) throw new UserError(toReason(said))
    return summarise(said)
  }
}

/** `npm run drift -- <stack>`, which must end with `expected`. */
function drift(expected: number): Step['act'] {
  return async ({ workspace }, stack) => {
    const { code, said } = await run(workspace, [join(root, 'ops/drift.ts'), stack])
    if (code === expected) return expected === 0 ? 'as declared' : toFirstFinding(said)
    throw new UserError(`npm run drift ended with ${code} instead of ${expected}:\n${said}`)
  }
}

async function switchWorkersDev({ cloud }: Rehearsal, stack: string): Promise<string> {
  const { account } = cloud
  const script = account.environments().find((each) => each.stack === stack)?.script
  const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = account.access
  const response = await fetch(`${base}/accounts/any/workers/scripts/${script}/subdomain`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  })
  if (!response.ok) throw new UserError(await response.text())
  return `by Cloudflare's API, past Pulumi`
}

function run({ env, folder }: Workspace, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env, cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, said: `${stdout}${stderr}`.trim() }),
    )
  })
}

/** The counts that the CLI ends with, such as `15 unchanged`. */
function summarise(said: string): string {
  const [, counts = ''] = /\nResources:\n((?: {4}.*(?:\n|$))+)/.exec(said) ?? []
  return counts.trim().split(/\n\s*/).join(', ') || (said.split('\n').at(-1) ?? '')
}

/** What the CLI says is wrong, without the course of events before it. */
function toReason(said: string): string {
  const [events = '', diagnostics] = said.split('Diagnostics:\n')
  return (diagnostics ?? events).split('\nResources:')[0]?.trim() ?? said
}

function toFirstFinding(said: string): string {
  const line = said.split('\n').find((each) => each.startsWith('workers.dev'))
  return (line ?? said).replaceAll(/ {2,}/g, ' · ')
}
