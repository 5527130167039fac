import { rm } from 'node:fs/promises'
import { createTemporaryFolder } from '../lib/temporary-folder.ts'

/**
 * Creates a folder for the temporary files of all tests; returns a function that deletes it. Miniflare deletes its
 * caches of gigabytes in the background, and a test process may exit earlier.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await createTemporaryFolder('tests')
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true })
}
