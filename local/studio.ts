import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { environments } from '../infra/environments.ts'
import { runCommand, UsageError } from '../ops/lib/command-line.ts'
import { parseStack } from '../ops/lib/stack.ts'
import { root } from './lib/paths.ts'
import { UserError } from './lib/user-error.ts'

const command = {
  invocation: 'npm run studio --',
  positionals: ['<environment>'],
  summary: `Opens Prisma Studio on the database of a site environment of the local cloud, which must be running.
Pages show a change within seconds.`,
  options: {
    port: { type: 'string', value: '<port>', description: 'port of Studio (5555)' },
    data: {
      type: 'string',
      value: '<folder>',
      description: 'data folder of the local cloud (.local)',
    },
  },
  exitCodes: { 0: 'Studio was closed', 1: 'Studio failed, or the local cloud is not running' },
} as const

await runCommand(command, async ({ values, positionals }) => {
  const stack = findDatabaseStack(positionals[0])
  const port = values.port ?? '5555'
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`"${port}" is not a port`)
  const url = await readDatabaseUrl(resolve(values.data ?? '.local', 'env'), stack)
  console.log(`Prisma Studio on the database of ${stack}: http://localhost:${port}`)
  const prisma = dirname(createRequire(import.meta.url).resolve('prisma/package.json'))
  const flags = ['--url', url, '--port', port, '--browser', 'none']
  const child = spawn(process.execPath, [join(prisma, 'build/index.js'), 'studio', ...flags], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  })
  // Ctrl-C reaches both processes; this one waits for Studio to end.
  process.on('SIGINT', () => {})
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 0
})

/** Returns the stack that declares the database of a site environment. */
function findDatabaseStack(name: string | undefined): string {
  const stack = parseStack(name)
  const environment = environments[stack]
  if (environment.worker !== 'site') {
    throw new UsageError(`${stack} has no database. Name a site environment`)
  }
  return environment.backend === 'own' ? stack : environment.backend
}

async function readDatabaseUrl(file: string, stack: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError(`${file} does not exist. Start the local cloud first: npm start`)
  })
  const name = `${stack.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`
  const url = parseEnv(text)[name]
  if (url === undefined) throw new UserError(`${file} has no ${name}. Start ${stack} first.`)
  return url
}
