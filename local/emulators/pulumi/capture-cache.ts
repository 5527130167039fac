import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../lib/user-error.ts'
import type { CaptureOptions } from './capture.ts'
import type { CapturedStack, StackOutputs } from './captured-stack.ts'
import type { Runner } from './runner.ts'

interface CaptureCacheDeps {
  /** Folder of the stack files. */
  folder: string
  /** Files and folders in it that a capture depends on, besides the stack files. */
  sources: readonly string[]
  /** The folder, relative to this one, that the program's own paths are relative to. */
  programDir: string
  /** Captures contain secrets in plain text: only the owner can read this folder. */
  cacheDir: string
  /** Everything that the result of `configure` depends on, besides the stack files. */
  context: string
  /** Returns the process that runs programs; called only when a stack has to be captured. */
  getRunner(): Runner
  configure(stack: string): Promise<Pick<CaptureOptions, 'config' | 'secrets' | 'stubContext'>>
}

interface Cached {
  key: string
  references: Record<string, string>
  captured: CapturedStack
}

export interface CaptureCache {
  /** Captures a stack, or returns its last capture when nothing that it depends on has changed. */
  capture(stack: string): Promise<CapturedStack>
  /** Names of the stacks captured so far, those that others refer to among them. */
  captured(): string[]
}

// Tests and media: no program reads them.
const IRRELEVANT = /\.(test\.ts|jpg|png|wav|webp)$/

/** Opens a cache of captures; a stack that refers to others waits for theirs. */
export function openCaptureCache(options: CaptureCacheDeps): CaptureCache {
  const captures = new Map<string, Promise<CapturedStack>>()
  const waitsFor = new Map<string, string>()
  const sources = hashSources(options)

  const capture = (stack: string): Promise<CapturedStack> => {
    const captured = captures.get(stack) ?? load(stack)
    captures.set(stack, captured)
    return captured
  }
  const refer = async (from: string, to: string): Promise<StackOutputs> => {
    waitsFor.set(from, to)
    for (let next = waitsFor.get(to); next !== undefined; next = waitsFor.get(next)) {
      if (next === from) throw new UserError(`Stacks ${from} and ${to} refer to each other.`)
    }
    return (await capture(to)).outputs
  }
  const load = async (stack: string): Promise<CapturedStack> => {
    const file = join(options.cacheDir, `${stack}.json`)
    const key = hash(await sources, options.context, process.version)
    const cached = await readCached(file)
    if (
      cached?.key === key &&
      (await isCurrent(cached, join(options.folder, options.programDir), refer))
    ) {
      return cached.captured
    }
    const references: Record<string, string> = {}
    const { captureStack } = await import('./capture.ts')
    const captured = await captureStack({
      ...(await options.configure(stack)),
      stack,
      runner: options.getRunner(),
      folder: options.folder,
      references: async (name) => {
        const outputs = await refer(stack, name)
        references[name] = hash(JSON.stringify(outputs))
        return outputs
      },
    })
    await writeCached(file, { key, references, captured })
    return captured
  }
  return { capture, captured: () => [...captures.keys()] }
}

async function isCurrent(
  { references, captured }: Cached,
  programDir: string,
  refer: (from: string, to: string) => Promise<StackOutputs>,
): Promise<boolean> {
  const checks = [
    ...Object.entries(references).map(
      async ([name, seen]) => hash(JSON.stringify(await refer(captured.stack, name))) === seen,
    ),
    ...captured.resources.map(async ({ inputs: { contentFile, contentSha256 } }) => {
      if (typeof contentFile !== 'string') return true
      const content = await readFile(resolve(programDir, contentFile)).catch(() => '')
      return hash(content) === contentSha256
    }),
  ]
  return (await Promise.all(checks)).every(Boolean)
}

async function hashSources({ folder, sources }: CaptureCacheDeps): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^Pulumi\..*yaml$/.test(name))
  const listed = await Promise.all(
    [...names, ...sources].map((source) => listFiles(folder, source)),
  )
  const files = listed.flat().toSorted()
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file))))
  return hash(...files, ...contents)
}

async function listFiles(folder: string, source: string): Promise<string[]> {
  if (/\.\w+$/.test(source)) return [source]
  const entries = await readdir(join(folder, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !IRRELEVANT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
}

function hash(...parts: (string | Uint8Array)[]): string {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}

async function readCached(file: string): Promise<Cached | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function writeCached(file: string, cached: Cached): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, JSON.stringify(cached), { mode: 0o600 })
  await rename(fresh, file)
}
