import type { Stack } from '../../infra/environments.ts'
import { findPulumi } from '../lib/pulumi-cli.ts'
import { checkAws } from './aws.ts'
import { checkCloudflare } from './cloudflare.ts'
import type { Finding } from './findings.ts'
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
  return groups.flat()
}
