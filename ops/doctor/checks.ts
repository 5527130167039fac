import type { Stack } from '../../infra/environments.ts'
import { findPulumi } from '../lib/pulumi-cli.ts'
import { checkAws } from './aws.ts'
import { checkCloudflare } from './cloudflare.ts'
import { type Finding, unchecked } from './findings.ts'
import { checkState } from './state.ts'
import { readTarget } from './target.ts'
import { checkTools } from './tools.ts'

/** Everything that a deployment of the stack needs; `folder` holds the stack files. */
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

/** Before the stack exists, `pulumi config set` has nowhere to write. */
function deferSetting(finding: Finding): Finding {
  const isSetting = finding.mend.some((command) => command.startsWith('pulumi config '))
  return isSetting ? unchecked(finding.check, `needs the stack: ${finding.detail}`) : finding
}
