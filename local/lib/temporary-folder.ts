import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder that PostgreSQL's user can enter, too; returns its path without symbolic links. */
export async function createTemporaryFolder(purpose: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `cms-edge-${purpose}-`)))
  await chmod(folder, 0o755)
  return folder
}
