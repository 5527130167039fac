import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../lib/user-error.ts'
import type { CaptureOptions } from './capture.ts'
import type { CapturedStack, StackOutputs } from './captured-stack.ts'
import type { Runner } from './runner.ts'

interface CaptureCacheDeps {
  /** Folder of the stack files. */
  folder: string
  /** Files and folders of `folder` that every capture depends on. */
  sources: readonly string[]
  /** Folder of the program, relative to `folder`; paths in declarations are relative to it. */
  programDir: string
  /** Folder with mode 0700, since captures contain secrets in plain text. */
  cacheDir: string
  /** Returns a process that runs programs; called only when a stack must be captured. */
  getRunner(): Runner
  /** Values that `configure` depends on, besides the stack files; any JSON. */
  targets: unknown
  /** Returns the values that override those of the stack file; called only when something has changed. */
  configure(stack: string): Promise<Pick<CaptureOptions, 'config' | 'secrets' | 'stubContext'>>
}

interface CachedCapture {
  /** Hash of the sources, all stack files, `targets` and Node's version; `key` changes only if it changes. */
  inputs: string
  /** Hash of the sources, the stack file, its overrides and Node's version. */
  key: string
  /** Hashes of the outputs of referenced stacks, by stack. */
  references: Record<string, string>
  captured: CapturedStack
}

export interface CaptureCache {
  /**
   * Returns the last capture of a stack while its sources are unchanged; captures it otherwise.
   *
   * @throws UserError when the program fails, or stacks refer to each other
   */
  capture(stack: string): Promise<CapturedStack>
  /** Returns the names of the stacks captured so far, including referenced ones. */
  captured(): string[]
}

// Programs read no tests and no media.
const IGNORED = /\.(test\.ts|jpg|png|wav|webp)$/

/** Opens a cache of captures. Stacks are captured after those that they refer to. */
export function openCaptureCache(deps: CaptureCacheDeps): CaptureCache {
  const captures = new Map<string, Promise<CapturedStack>>()
  // The reference that each stack reads at the moment.
  const waitsFor = new Map<string, string>()
  const sources = hashFiles(deps.folder, listSources(deps))
  const stackFiles = readdirSync(deps.folder).filter((name) => /^Pulumi\..+\.yaml$/.test(name))
  const inputs = hash(
    sources,
    hashFiles(deps.folder, stackFiles.toSorted()),
    JSON.stringify(deps.targets),
    process.version,
  )

  const capture = (stack: string): Promise<CapturedStack> => {
    const captured = captures.get(stack) ?? load(stack)
    captures.set(stack, captured)
    return captured
  }
  const readReference = async (from: string, to: string): Promise<StackOutputs> => {
    waitsFor.set(from, to)
    for (let next = waitsFor.get(to); next !== undefined; next = waitsFor.get(next)) {
      if (next === from) throw new UserError(`Stacks ${from} and ${to} refer to each other.`)
    }
    return (await capture(to)).outputs
  }
  const load = async (stack: string): Promise<CapturedStack> => {
    const file = join(deps.cacheDir, `${stack}.json`)
    const programDir = join(deps.folder, deps.programDir)
    const cached = await readCached(file)
    const isCached = cached !== undefined && (await isCurrent(cached, programDir, readReference))
    if (isCached && cached.inputs === inputs) return cached.captured
    const overrides = await deps.configure(stack)
    const stackFile = await readFile(join(deps.folder, `Pulumi.${stack}.yaml`)).catch(() => '')
    const key = hash(sources, stackFile, JSON.stringify(overrides), process.version)
    if (isCached && cached.key === key) {
      await writeCached(file, { ...cached, inputs })
      return cached.captured
    }
    const references: Record<string, string> = {}
    const { captureStack } = await import('./capture.ts')
    const captured = await captureStack({
      ...overrides,
      stack,
      runner: deps.getRunner(),
      folder: deps.folder,
      findOutputs: async (name) => {
        const outputs = await readReference(stack, name)
        references[name] = hash(JSON.stringify(outputs))
        return outputs
      },
    })
    await writeCached(file, { inputs, key, references, captured })
    return captured
  }
  return { capture, captured: () => [...captures.keys()] }
}

/** Returns whether the outputs of the referenced stacks and the scripts' bundles are those of the capture. */
async function isCurrent(
  { references, captured }: CachedCapture,
  programDir: string,
  readReference: (from: string, to: string) => Promise<StackOutputs>,
): Promise<boolean> {
  const checks = [
    ...Object.entries(references).map(async ([name, previous]) => {
      const outputs = await readReference(captured.stack, name)
      return hash(JSON.stringify(outputs)) === previous
    }),
    ...captured.resources.map(async ({ inputs: { contentFile, contentSha256 } }) => {
      if (typeof contentFile !== 'string') return true
      const content = await readFile(resolve(programDir, contentFile)).catch(() => '')
      return hash(content) === contentSha256
    }),
  ]
  return (await Promise.all(checks)).every(Boolean)
}

function listSources({ folder, sources }: CaptureCacheDeps): string[] {
  return sources.flatMap((source) => listFiles(folder, source)).toSorted()
}

function listFiles(folder: string, source: string): string[] {
  const isFile = /\.\w+$/.test(source)
  if (isFile) return [source]
  return readdirSync(join(folder, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IGNORED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
}

// For 500 small files, synchronous reads take a quarter of the time of asynchronous ones.
function hashFiles(folder: string, files: readonly string[]): string {
  return hash(...files, ...files.map((file) => readFileSync(join(folder, file))))
}

function hash(...parts: (string | Uint8Array)[]): string {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}

async function readCached(file: string): Promise<CachedCapture | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function writeCached(file: string, cached: CachedCapture): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const partFile = `${file}.${process.pid}`
  await writeFile(partFile, JSON.stringify(cached), { mode: 0o600 })
  await rename(partFile, file)
}
