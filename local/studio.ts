import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { environments, stacks } from '../infra/environments.ts'
import { root } from './lib/paths.ts'
import { toSentence, UserError } from './lib/user-error.ts'

const USAGE = `Usage: npm run studio -- <environment> [--port N] [--data FOLDER]

Opens Prisma Studio on the database of a site environment of the local cloud, which has to be running.
A change shows on the pages within seconds.

Options:
  --port N        port of Studio (5555)
  --data FOLDER   data folder of the local cloud (.local)
  --help          print this

Exit codes: 0 Studio was closed, 1 it failed, 2 the command line is wrong.`

class UsageError extends Error {}

try {
  process.exitCode = await runStudio(process.argv.slice(2))
} catch (error) {
  console.error(toSentence(error))
  process.exitCode = error instanceof UsageError ? 2 : 1
}

async function runStudio(args: string[]): Promise<number> {
  const { values, positionals } = parse(args)
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const backend = toBackend(positionals)
  const port = values.port ?? '5555'
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`--port takes a number, not "${port}".`)
  const url = await readDatabaseUrl(resolve(values.data ?? '.local', 'env'), backend)
  console.log(`Prisma Studio on the database of ${backend}: http://localhost:${port}`)
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('prisma/package.json')),
    'build/index.js',
  )
  const child = spawn(
    process.execPath,
    [cli, 'studio', '--url', url, '--port', port, '--browser', 'none'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, CHECKPOINT_DISABLE: '1' } },
  )
  // Ctrl-C reaches both processes; this one waits for Studio to end.
  process.on('SIGINT', () => {})
  return new Promise((settle) => child.on('exit', (code) => settle(code ?? 0)))
}

function parse(args: string[]) {
  try {
    const options = { port: { type: 'string' }, data: { type: 'string' } } as const
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(`${toSentence(error).split('. ')[0]}. --help lists the options.`)
  }
}

/** Returns the environment whose stack declares the database. */
function toBackend([name, ...others]: string[]): string {
  const stack = stacks.find((each) => each === name)
  if (stack === undefined || others.length > 0)
    throw new UsageError(`Name one environment: ${stacks.join(', ')}.`)
  const environment = environments[stack]
  if (environment.worker !== 'site')
    throw new UsageError(`${stack} has no database; a site environment has one.`)
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
