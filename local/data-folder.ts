import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from './lib/user-error.ts'

/** The folder with all data of a local cloud: its paths, and the seed of its secrets. */
export interface DataFolder {
  /** Random text from which all local secrets are derived. */
  secretSeed: string
  /** File with addresses and secrets, for shells. */
  envFile: string
  /** Folder of cached captures. */
  captures: string
  /** File with the resources that were deployed while the local cloud ran with `--empty`. */
  stateFile: string
  /** Data directory of PostgreSQL. */
  postgres: string
  /** Folder of the object store's buckets. */
  store: string
  /** Folder of workerd's configuration, KV, D1 and edge cache. */
  edge: string
  /** Folder of log files. */
  logs: string
}

/**
 * Opens a data folder; creates a missing one.
 *
 * @throws UserError when the folder cannot be written
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const logs = join(folder, 'logs')
  try {
    await mkdir(logs, { recursive: true })
    return {
      secretSeed: await readOrCreateSeed(join(folder, 'seed')),
      envFile: join(folder, 'env'),
      captures: join(folder, 'captures'),
      stateFile: join(folder, 'state.json'),
      postgres: join(folder, 'postgres'),
      store: join(folder, 'store'),
      edge: join(folder, 'edge'),
      logs,
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(
      `The folder ${folder} cannot be written (${code}). Choose another one with --data.`,
    )
  }
}

async function readOrCreateSeed(file: string): Promise<string> {
  const seed = randomBytes(32).toString('hex')
  try {
    await writeFile(file, seed, { flag: 'wx', mode: 0o600 })
    return seed
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!exists) throw error
    // Fails if the file is not writable.
    await writeFile(file, '', { flag: 'a' })
    return readFile(file, 'utf8')
  }
}
