import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Node's compile cache, shared by all processes of the local cloud. */
export const compileCache = join(root, 'node_modules/.cache/compile')
