import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// This script generates the Prisma client into prisma/generated/.
const root = join(import.meta.dirname, '..')
const manifest = createRequire(import.meta.url).resolve('prisma/package.json')

// `prisma generate` uses no schema engine, but downloads one unless this variable names a file.
execFileSync(process.execPath, [join(dirname(manifest), 'build/index.js'), 'generate'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
})
