import * as z from 'zod/mini'
import type { CloudflareAccount } from '../emulators/cloudflare/account.ts'
import type { CapturedStack } from '../emulators/pulumi/captured-stack.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'
import { resourceTypes } from './resource-types.ts'

/**
 * Creates the declared resources of stacks in an account; paths in declarations are relative to `programDir`.
 *
 * @throws UserError when the account rejects a resource
 */
export async function putDeclared(
  cloudflare: CloudflareAccount,
  captures: readonly CapturedStack[],
  programDir: string,
): Promise<void> {
  const resources = captures.flatMap((captured) =>
    captured.resources.map((resource) => ({ stack: captured.stack, resource })),
  )
  for (const [type, resourceType] of Object.entries(resourceTypes)) {
    for (const { stack, resource } of resources.filter((each) => each.resource.type === type)) {
      try {
        await resourceType.put(cloudflare, resource, programDir)
      } catch (error) {
        throw new UserError(`Stack ${stack}, ${type} "${resource.name}": ${toReason(error)}.`)
      }
    }
  }
}

/** Returns the message of an error; for an invalid input, with the path of the input. */
export function toReason(error: unknown): string {
  if (!(error instanceof z.core.$ZodError)) return toErrorMessage(error)
  const [issue] = error.issues
  return `${issue?.path.join('.')} ${issue?.message}`
}
