import * as z from 'zod/mini'
import type { CapturedStack, Resource } from '../emulators/pulumi/captured-stack.ts'
import { Policy } from '../emulators/s3/policy.ts'
import type { Credential } from '../emulators/s3/server.ts'
import { UserError } from '../lib/user-error.ts'

/** A read API: the URL of its function, and the function's variables. */
export interface DeclaredApi {
  stack: string
  url: string
  variables: Record<string, string>
}

const FunctionEnvironment = z.object({ variables: z.record(z.string(), z.string()) })

/** Returns the read APIs: every function with a URL is a read API. */
export function findApis(captures: readonly CapturedStack[]): DeclaredApi[] {
  return captures.flatMap((captured) =>
    findByType(captured, 'aws:lambda/functionUrl:FunctionUrl').map(({ inputs, outputs }) => {
      const functions = findByType(captured, 'aws:lambda/function:Function')
      const target = functions.find(({ id }) => id === inputs.functionName)
      const environment = target?.inputs.environment ?? { variables: {} }
      const { variables } = z.parse(FunctionEnvironment, environment)
      return { stack: captured.stack, url: String(outputs.functionUrl), variables }
    }),
  )
}

export function findBuckets(captures: readonly CapturedStack[]): { stack: string; name: string }[] {
  return captures.flatMap((captured) =>
    findByType(captured, 'aws:s3/bucket:Bucket').map(({ id }) => ({
      stack: captured.stack,
      name: id,
    })),
  )
}

/** Returns the access keys, each with the policies of its user. */
export function findCredentials(captures: readonly CapturedStack[]): Credential[] {
  return captures.flatMap((captured) =>
    findByType(captured, 'aws:iam/accessKey:AccessKey').map(({ id, inputs, outputs }) => ({
      accessKeyId: id,
      secretAccessKey: String(outputs.secret),
      policies: findByType(captured, 'aws:iam/userPolicy:UserPolicy')
        .filter((policy) => policy.inputs.user === inputs.user)
        .map((policy) => parsePolicy(captured.stack, policy)),
    })),
  )
}

function parsePolicy(stack: string, { name, inputs }: Resource): Policy {
  const policy = typeof inputs.policy === 'string' ? JSON.parse(inputs.policy) : inputs.policy
  const { success, data, error } = z.safeParse(Policy, policy)
  if (success) return data
  const [issue] = error.issues
  throw new UserError(
    `Stack ${stack}: the local object store cannot enforce the policy "${name}": ${issue?.path.join('.')} ${issue?.message}.`,
  )
}

function findByType({ resources }: CapturedStack, type: string): Resource[] {
  return resources.filter((resource) => resource.type === type)
}

/** Returns the name of a read API's database. It includes the stack, since one server has all databases. */
export function toDatabaseName({ stack, variables }: DeclaredApi): string {
  return `${variables.DATABASE_NAME}_${stack.replaceAll('-', '_')}`
}

/** Returns the name of the role that a read API connects as. */
export function toApiRole({ variables }: DeclaredApi): string {
  return variables.DATABASE_USER ?? 'cms_api'
}
