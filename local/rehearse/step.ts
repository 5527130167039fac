import type { Stack } from '../../infra/environments.ts'
import type { DeployTarget } from '../deploy-target.ts'
import type { Workspace } from './workspace.ts'

export interface Rehearsal {
  cloud: DeployTarget
  workspace: Workspace
  /** Keeps the folder with the logs after the rehearsal; returns its path. */
  keepLogs(): string
}

/** One step of a rehearsal. */
export interface Step {
  title: string
  /**
   * Returns a line that describes the result.
   *
   * @throws UserError when the result is not the expected one
   */
  run(rehearsal: Rehearsal, stack: Stack): Promise<string>
}
