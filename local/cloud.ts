import type { AccountRuntime } from './account-runtime.ts'
import type { DeclaredApi } from './deploy/aws-resources.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import type { RunningApi } from './read-api-supervisor.ts'
import type { StartContext } from './services.ts'

/** The captured stacks and their running read APIs. */
export interface DeclaredServices {
  captures: readonly CapturedStack[]
  /** The key is the JSON of the `DeclaredApi`. */
  runningApis: Map<string, RunningApi>
}

/** The running local cloud. */
export interface Cloud {
  context: StartContext
  /** Rejects when PostgreSQL or workerd ends by itself; a read API is restarted. */
  failure: Promise<never>
  account: AccountRuntime
  /** Read APIs of the captured stacks; none with `--empty`. */
  declaredApis: DeclaredApi[]
  /** PostgreSQL's data directory; undefined when DATABASE_URL names a server. */
  databaseDir: string | undefined
  /** Milliseconds from the command to the first page; undefined when no page was requested. */
  firstPageMs: number | undefined
}
