import type { AccountRuntime } from './account-runtime.ts'
import type { DeclaredApi } from './deploy/aws-resources.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import type { RunningApi } from './read-api-supervisor.ts'
import type { Start } from './services.ts'

/** Current declarations of the stacks, and the read APIs that run for them, by declaration. */
export interface Declared {
  captures: readonly CapturedStack[]
  apis: Map<string, RunningApi>
}

/** The running local cloud. */
export interface Cloud {
  start: Start
  /** Rejects when something that runs ends by itself. */
  broken: Promise<never>
  account: AccountRuntime
  apis: DeclaredApi[]
  /** Where PostgreSQL keeps its data; undefined when it is not ours. */
  databaseDir: string | undefined
  /** Milliseconds from the command to the first page; undefined when no host is a newsroom's. */
  pageAfter: number | undefined
}
