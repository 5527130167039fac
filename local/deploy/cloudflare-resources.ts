import * as z from 'zod/mini'
import type { Cloudflare } from '../emulators/cloudflare/account.ts'
import type { CapturedStack } from '../emulators/pulumi/captured-stack.ts'
import { toSentence, UserError } from '../lib/user-error.ts'
import { resourceTypes } from './resource-types.ts'

/** Creates the declared resources of stacks in an account; paths of files are relative to `programDir`. */
export async function putDeclared(
  cloudflare: Cloudflare,
  captures: readonly CapturedStack[],
  programDir: string,
): Promise<void> {
  const resources = captures.flatMap((captured) =>
    captured.resources.map((resource) => ({ stack: captured.stack, resource })),
  )
  for (const [type, kind] of Object.entries(resourceTypes)) {
    for (const { stack, resource } of resources.filter((each) => each.resource.type === type)) {
      try {
        await kind.put(cloudflare, resource, programDir)
      } catch (error) {
        throw new UserError(`Stack ${stack}, ${type} "${resource.name}": ${explain(error)}.`)
      }
    }
  }
}

/** Error for a resource or an input that the local account does not support. */
export function explain(error: unknown): string {
  if (!(error instanceof z.core.$ZodError)) return toSentence(error)
  const [issue] = error.issues
  return `${issue?.path.join('.')} ${issue?.message}`
}
