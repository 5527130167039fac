import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import esbuild, { type BuildFailure, type BuildOptions, type Message } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Entry point, output file and runtime of each bundle. Paths are relative to the root of the project. */
const TARGETS = {
  site: { entry: 'workers/site/index.ts', file: 'dist/site.js', runtime: 'worker' },
  media: { entry: 'workers/media/index.ts', file: 'dist/media.js', runtime: 'worker' },
  api: { entry: 'api/entrypoints/lambda.ts', file: 'dist/api/index.mjs', runtime: 'lambda' },
  migrate: {
    entry: 'api/entrypoints/migrate.ts',
    file: 'dist/migrate/index.mjs',
    runtime: 'lambda',
  },
} as const

/** Folders that the migration function reads, by their name in its archive. */
export const MIGRATE_FOLDERS = {
  migrations: 'prisma/migrations',
  content: 'demo/content',
  css: 'themes/css',
  templates: 'themes/templates',
} as const

export type BundleName = keyof typeof TARGETS

export interface Bundle {
  /** Path relative to the folder of the Pulumi program, as providers resolve it. */
  file: string
  /** SHA-256 of the file in lower-case hex. */
  sha256: string
}

/** esbuild's options by runtime. */
export const RUNTIMES = {
  worker: {
    platform: 'browser',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
  },
  lambda: {
    platform: 'node',
    target: 'node24',
    external: ['pg-native'],
    // CommonJS packages in an ES module call require(), which does not exist there.
    banner: {
      js: "import{createRequire as _createRequire}from'node:module';const require=_createRequire(import.meta.url);",
    },
  },
} as const satisfies Record<string, BuildOptions>

const runningBuilds = new Map<BundleName, Promise<Bundle>>()

/**
 * Bundles one entry point into dist/. The same sources produce the same bytes on every machine. Concurrent
 * calls in one process share the result.
 * @throws RunError with the errors of esbuild
 */
export function bundle(name: BundleName): Promise<Bundle> {
  const result = runningBuilds.get(name) ?? build(name).finally(() => runningBuilds.delete(name))
  runningBuilds.set(name, result)
  return result
}

async function build(name: BundleName): Promise<Bundle> {
  const { entry, file, runtime } = TARGETS[name]
  const options: BuildOptions = RUNTIMES[runtime]
  const result = await esbuild
    .build({
      ...options,
      absWorkingDir: ROOT,
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      format: 'esm',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      loader: { '.wasm': 'binary' },
      logLevel: 'silent',
      write: false,
    })
    .catch(async ({ errors = [] }: Partial<BuildFailure>) => {
      // The import is dynamic, so that the local cloud can bundle without Pulumi's SDK.
      const { RunError } = await import('@pulumi/pulumi')
      throw new RunError([`${entry} cannot be bundled.`, ...errors.map(toLine)].join('\n  '))
    })
  for (const warning of result.warnings) console.warn(`${entry}: ${warning.text}`)
  const contents = Buffer.concat(result.outputFiles.map((output) => output.contents))
  await replaceFile(join(ROOT, file), contents)
  return { file: `../${file}`, sha256: sha256(contents) }
}

/** Returns a build error as one line, with file name and line number if they are known. */
export function toLine({ text, location }: Pick<Message, 'text' | 'location'>): string {
  return location ? `${location.file}:${location.line}: ${text}` : text
}

// Pulumi programs of several stacks may run at the same time. None of them may read an incomplete file.
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, contents)
  await rename(temporary, path)
}

/** Returns the hash that identifies a release, from the hashes of everything that it deploys. */
export function toRelease(hashes: readonly string[]): string {
  return sha256(hashes.join('\n'))
}

/**
 * Returns a hash of the names and contents of all files below a folder. `path` is relative to the project's
 * root.
 */
export async function hashFolder(path: string): Promise<string> {
  const folder = resolve(ROOT, path)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted()
  const parts = await Promise.all(
    files.map(async (file) => `${file}\n${sha256(await readFile(join(folder, file)))}`),
  )
  return sha256(parts.join('\n'))
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
