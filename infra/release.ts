import * as pulumi from '@pulumi/pulumi'
import type { DeploymentEnvironment } from './environments.ts'

/**
 * Checks that a prod stack deploys the release that its stage stack (`promotes`) runs. The setting
 * RELEASE_SHA256 takes precedence, on any stack. Without it, a stage stack may deploy any release.
 * @throws RunError if the release differs or cannot be read
 */
export async function requireSameRelease(
  { promotes }: DeploymentEnvironment,
  settings: { RELEASE_SHA256?: string | undefined },
  release: string,
): Promise<void> {
  const pinned = settings.RELEASE_SHA256
  const expected = pinned ?? (promotes && (await readRelease(promotes)))
  if (expected === undefined || expected === release) return
  const mismatch = pinned
    ? `RELEASE_SHA256 is ${pinned}. Change the setting, or check out the commit of that release.`
    : `${promotes} runs ${expected}. Deploy this release to ${promotes} first, or check out the commit that runs there.`
  throw new pulumi.RunError(`The release is ${release}, but ${mismatch}`)
}

async function readRelease(stack: string): Promise<string> {
  try {
    return await readOutput(stack, 'release')
  } catch (error) {
    throw new pulumi.RunError(
      `${error instanceof Error ? error.message : error} If ${stack} no longer exists, or has another state ` +
        `backend, set the release to deploy: pulumi config set RELEASE_SHA256 <release> --stack ${pulumi.getStack()}`,
    )
  }
}

/**
 * Returns an output of another stack of this project.
 * @throws RunError when the stack has no such output
 */
export async function readOutput(stack: string, name: string): Promise<string> {
  const path = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`
  const reference = new pulumi.StackReference(stack, { name: path })
  const { value } = await reference.getOutputDetails(name)
  if (typeof value === 'string') return value
  throw new pulumi.RunError(`Stack ${stack} has no output "${name}". Deploy it first.`)
}
