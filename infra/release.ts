import * as pulumi from '@pulumi/pulumi'
import type { Environment } from './environments.ts'

/**
 * Lets a stack that promotes another repeat only what that one runs: by the other's outputs, or by
 * RELEASE_SHA256 where its state is out of reach. Throws before anything is declared.
 */
export async function refuseOtherRelease(
  { promotes }: Environment,
  settings: { RELEASE_SHA256?: string | undefined },
  release: string,
): Promise<void> {
  const pinned = settings.RELEASE_SHA256
  const expected = pinned ?? (promotes && (await readRelease(promotes)))
  if (expected === undefined || expected === release) return
  const where = pinned ? 'RELEASE_SHA256 asks for' : `${promotes} runs`
  throw new pulumi.RunError(
    `This is release ${release}, but ${where} ${expected}: deploy this one to stage first, or ` +
      'check out the commit that runs there.',
  )
}

async function readRelease(stack: string): Promise<string> {
  try {
    return await readOutput(stack, 'release')
  } catch (error) {
    throw new pulumi.RunError(
      `${error instanceof Error ? error.message : error} Where ${stack} is gone, set the release ` +
        `that may run here instead: pulumi config set RELEASE_SHA256 <release> --stack ${pulumi.getStack()}`,
    )
  }
}

/** An output of another stack of this project. @throws RunError when there is none */
export async function readOutput(stack: string, name: string): Promise<string> {
  const path = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`
  const reference = new pulumi.StackReference(stack, { name: path })
  const { value } = await reference.getOutputDetails(name)
  if (typeof value === 'string') return value
  throw new pulumi.RunError(`Stack ${stack} has no output "${name}": deploy it first.`)
}
