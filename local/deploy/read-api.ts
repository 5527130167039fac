import { createWriteStream } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache, root } from '../lib/paths.ts'
import { type SupervisedProcess, spawnSupervised } from '../lib/spawn-supervised.ts'
import { UserError } from '../lib/user-error.ts'
import type { DeclaredApi } from './aws-resources.ts'
import { bundleReadApi } from './bundle-read-api.ts'

/** Characters of standard error that are searched for the reason of a failed start. */
const MAX_ERROR_LENGTH = 10_000

interface ApiSettings {
  api: DeclaredApi
  /** Database URL with the read API's role. */
  databaseUrl: string
  /** API key that the API reference at `/docs` sends. */
  docsKey: string
  /** True: errors name lines of the sources; false: lines of the bundle. */
  hasSourceMaps: boolean
  logFile: string
  port: number
}

/**
 * Runs a declared read API in a separate process, with its declared variables except those for RDS
 * (`DATABASE_…`) and for Lambda's runtime (`NODE_…`).
 *
 * @throws UserError when its sources do not parse, or the process ends before it listens
 */
export async function startApi({
  api,
  databaseUrl,
  docsKey,
  hasSourceMaps,
  logFile,
  port,
}: ApiSettings): Promise<SupervisedProcess> {
  const declared = Object.entries(api.variables).filter(([name]) => !/^(DATABASE|NODE)_/.test(name))
  const child = spawnSupervised({
    command: process.execPath,
    args: [...(hasSourceMaps ? ['--enable-source-maps'] : []), await bundleReadApi()],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      ...Object.fromEntries(declared),
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DOCS_API_KEY: docsKey,
    },
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stderr.pipe(log)
  let printed = ''
  child.stderr.on('data', (chunk) => {
    if (printed.length < MAX_ERROR_LENGTH) printed += chunk
  })
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('listening on')) resolve()
      else log.write(`${line}\n`)
    })
    child.exited.then((code) =>
      reject(
        new UserError(
          `The read API of ${api.stack} ended with ${code}${toReason(printed)}: see ${logFile}.`,
        ),
      ),
    )
  })
  return child
}

/** Returns file, line and message of an error that Node printed, in parentheses; empty when there is none. */
function toReason(printed: string): string {
  const [, file, line] = /(\/\S+\.ts):(\d+)/.exec(printed) ?? []
  const [message] = /^\w*Error\b.*/m.exec(printed) ?? []
  const location = file === undefined ? '' : `${relative(root, file)}:${line}: `
  return message === undefined ? '' : ` (${location}${message})`
}
