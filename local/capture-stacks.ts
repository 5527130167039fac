import { join } from 'node:path'
import { overrideForLocal } from './deploy/stack-overrides.ts'
import { openCaptureCache } from './emulators/pulumi/capture-cache.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { type Runner, startRunner } from './emulators/pulumi/runner.ts'
import { root, SOURCE_FOLDERS } from './lib/paths.ts'
import type { StartContext } from './services.ts'

/** Files and folders that every stack's declarations can depend on. */
const SOURCES = [
  'package-lock.json',
  'Pulumi.yaml',
  ...SOURCE_FOLDERS,
  'local/deploy',
  'local/emulators/pulumi',
]

/** Captures the stacks that the command line names, and the stacks that they refer to. */
export interface Capturer {
  capture(): Promise<CapturedStack[]>
  /** Ends the process that runs the program; the next capture starts a new one, which reloads the program. */
  stop(): Promise<void>
}

export function createCapturer({ options, dataFolder, addresses }: StartContext): Capturer {
  const storeUrl = `http://127.0.0.1:${addresses.storePort}`
  const targets = {
    folder: root,
    seed: dataFolder.secretSeed,
    storeUrl,
    apiUrls: addresses.apiUrls,
  }
  let runner: Runner | undefined
  return {
    async capture() {
      const cache = openCaptureCache({
        folder: root,
        sources: SOURCES,
        programDir: 'infra',
        cacheDir: dataFolder.captures,
        targets,
        configure: (stack) => overrideForLocal(stack, targets),
        getRunner() {
          runner ??= startRunner(join(root, 'infra'))
          return runner
        },
      })
      await Promise.all(options.stacks.map(cache.capture))
      // Includes the stacks that these refer to.
      return Promise.all(cache.captured().map(cache.capture))
    },
    async stop() {
      const old = runner
      runner = undefined
      await old?.stop()
    },
  }
}
