import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildFailure } from 'esbuild'
import { root } from '../lib/paths.ts'
import { UserError } from '../lib/user-error.ts'

const ENTRY = 'api/entrypoints/server.ts'
const BUNDLE = join(root, 'dist/read-api/server.mjs')
// Modification times of the bundle's inputs, in milliseconds, by their path from the root.
const INPUTS = join(root, 'dist/read-api/inputs.json')

let currentBuild: Promise<string> | undefined

/**
 * Bundles the read API's server unless no input has changed since the last bundle; returns the path. Read
 * APIs that start at the same time wait for the same build. The bundle starts in 60 % of the time that its
 * 300 modules need.
 *
 * @throws UserError with file and line when a file does not parse
 */
export function bundleReadApi(): Promise<string> {
  currentBuild ??= bundle().finally(() => {
    currentBuild = undefined
  })
  return currentBuild
}

async function bundle(): Promise<string> {
  if (await isCurrent()) return BUNDLE
  const [{ build }, { RUNTIMES, toLine }] = await Promise.all([
    import('esbuild'),
    import('../../infra/bundle.ts'),
  ])
  const startedAt = Date.now()
  const { metafile } = await build({
    ...RUNTIMES.lambda,
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outfile: BUNDLE,
    bundle: true,
    format: 'esm',
    external: [...RUNTIMES.lambda.external, 'swagger-ui-dist'],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    metafile: true,
  }).catch(({ errors = [] }: Partial<BuildFailure>) => {
    throw new UserError([`${ENTRY} cannot be bundled.`, ...errors.map(toLine)].join('\n  '))
  })
  const inputs = await readTimes([...Object.keys(metafile.inputs), 'package-lock.json'])
  // A bundle may lack the content of a file that was saved during the build, so the next start bundles again.
  const isConsistent = Object.values(inputs).every((time) => time < startedAt)
  if (isConsistent) await writeFile(INPUTS, JSON.stringify(inputs))
  return BUNDLE
}

async function isCurrent(): Promise<boolean> {
  try {
    const inputs: Record<string, number> = JSON.parse(await readFile(INPUTS, 'utf8'))
    const times = await readTimes(Object.keys(inputs))
    return Object.entries(inputs).every(([path, time]) => times[path] === time)
  } catch {
    return false
  }
}

async function readTimes(paths: readonly string[]): Promise<Record<string, number>> {
  const times = paths.map(async (path) => [path, (await stat(join(root, path))).mtimeMs] as const)
  return Object.fromEntries(await Promise.all(times))
}
