import type { Stack } from '../../infra/environments.ts'
import { findPulumi } from '../lib/pulumi-cli.ts'
import { checkAws } from './aws.ts'
import { checkCloudflare } from './cloudflare.ts'
import { type Finding, unchecked } from './findings.ts'
import { checkState } from './state.ts'
import { readTarget } from './target.ts'
import { checkTools } from './tools.ts'

/** Checks everything that a deployment of the stack needs. `folder` contains the stack files. */
export async function checkStack(
  stack: Stack,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Finding[]> {
  const [cli, target] = await Promise.all([findPulumi(env), readTarget(stack, folder)])
  const groups = await Promise.all([
    checkTools(cli, env),
    checkState(stack, cli, env),
    checkCloudflare(target, env),
    checkAws(target, env),
  ])
  const findings = groups.flat()
  const hasStack = findings.some(({ check, state }) => check === 'Stack' && state === 'ok')
  return hasStack ? findings : findings.map(deferSetting)
}

/** Before the stack exists, `pulumi config set` fails, so settings cannot be fixed yet. */
function deferSetting(finding: Finding): Finding {
  const isSetting = finding.fixes.some((command) => command.startsWith('pulumi config '))
  return isSetting
    ? unchecked(finding.check, `cannot be checked before the stack exists: ${finding.detail}`)
    : finding
}
