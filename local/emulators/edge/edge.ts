import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Cron } from 'croner'
import { type SupervisedProcess, spawnSupervised } from '../../lib/spawn-supervised.ts'
import { UserError } from '../../lib/user-error.ts'
import { parseCron } from '../cloudflare/cron.ts'
import { compileConfig, type EdgePlan } from './compile.ts'

export interface Edge {
  exited: SupervisedProcess['exited']
  stop(): Promise<void>
}

/** A plan with the destination of the logs. */
export interface RunningPlan extends EdgePlan {
  logFile: string
  /** Called with every structured log line of the scripts. */
  onLogLine?: (line: string) => void
}

/** Runs an account's scripts in workerd, on loopback, and requests its cron triggers on schedule. */
export async function startEdge(plan: RunningPlan): Promise<Edge> {
  const config = await compileConfig(plan)
  const workerd = spawnSupervised({
    command: findWorkerd(),
    args: [...FLAGS, config],
    env: { PATH: process.env.PATH, TZ: 'UTC' },
    signal: 'KILL',
  })
  await whenListening(workerd, plan)
  const crons = [...plan.cloudflare.crons].flatMap(([script, expressions]) =>
    expressions.map((cron) => schedule(plan, script, cron)),
  )
  return {
    exited: workerd.exited,
    async stop() {
      for (const cron of crons) cron.stop()
      await workerd.stop()
    },
  }
}

// Some services of Miniflare call the address `loopback`. No script here uses them, so nothing listens there.
const FLAGS = [
  'serve',
  '--binary',
  '--experimental',
  '--control-fd=1',
  '--socket-addr=entry=127.0.0.1:0',
  '--external-addr=loopback=127.0.0.1:9',
]

function findWorkerd(): string {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve('miniflare'))('workerd').default
}

async function whenListening(
  workerd: SupervisedProcess,
  { logFile, onLogLine }: RunningPlan,
): Promise<void> {
  const log = createWriteStream(logFile, { flags: 'a' })
  workerd.stderr.pipe(log)
  await new Promise<void>((resolve, reject) => {
    createInterface(workerd.stdout).on('line', (line) => {
      // workerd reports each socket that it opens; `direct…` is the one in `unsafeDirectSockets`.
      if (line.startsWith('{"event":"listen","socket":"direct')) resolve()
      else {
        log.write(`${line}\n`)
        onLogLine?.(line)
      }
    })
    workerd.exited.then((code) =>
      reject(new UserError(`workerd did not start (it ended with ${code}): see ${logFile}.`)),
    )
  })
}

function schedule({ port, edgeToken }: EdgePlan, script: string, expression: string): Cron {
  const cron = parseCron(expression)
  const query = new URLSearchParams({ script, cron: expression })
  const headers = { 'local-cron-token': edgeToken }
  cron.schedule(async () => {
    await fetch(`http://127.0.0.1:${port}/?${query}`, { headers }).catch(() => {})
  })
  cron.resume()
  return cron
}
