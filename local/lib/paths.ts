import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the project, absolute. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where Node keeps compiled modules between starts, for every process that is started here. */
export const compileCache = join(root, 'node_modules/.cache/compile')
