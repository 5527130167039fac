import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a folder for the temporary files of all tests; returns a function that deletes it. Miniflare deletes its
 * caches of gigabytes in the background, and a test process may exit earlier.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-edge-tests-'))
  // PostgreSQL's user must be able to enter the folder.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true })
}
