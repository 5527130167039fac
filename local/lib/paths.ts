import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders with the sources of what the stacks declare, relative to the project's folder. */
export const SOURCE_FOLDERS: readonly string[] = [
  'api',
  'contract',
  'demo',
  'http',
  'infra',
  'prisma',
  'themes',
  'workers',
]

/** Node's compile cache, shared by all processes of the local cloud. */
export const compileCache = join(root, 'node_modules/.cache/compile')
