import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { WorkerOptions } from 'miniflare'
import { root } from '../../lib/paths.ts'

/** Main module of scripts whose code can be replaced; relative to the project. */
export const REPLACEABLE_MODULE = 'local/emulators/edge/replaceable-script.ts'

interface Worker {
  name: string
  modules: { type: 'ESModule'; path: string; contents: string }[]
  bindings: Record<string, string>
}

/** Wraps scripts so that requests with the token can replace their code while they run. */
export async function makeReplaceable(
  workers: readonly Worker[],
  token: string,
): Promise<WorkerOptions[]> {
  const wrapper = stripTypeScriptTypes(await readFile(join(root, REPLACEABLE_MODULE), 'utf8'))
  return workers.map((worker) => ({
    ...worker,
    modules: [
      { type: 'ESModule', path: 'replaceable.mjs', contents: wrapper },
      ...worker.modules.map((module) => ({ ...module, path: 'initial.mjs' })),
    ],
    bindings: { ...worker.bindings, LOCAL_TOKEN: token },
    unsafeEvalBinding: 'LOCAL_EVAL',
  }))
}
