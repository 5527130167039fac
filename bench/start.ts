import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify, stripVTControlCharacters } from 'node:util'
import { requestLocal } from '../local/lib/local-request.ts'
import { root } from '../local/lib/paths.ts'
import { findFreePort } from '../local/lib/ports.ts'
import { createTemporaryFolder } from '../local/lib/temporary-folder.ts'
import { toErrorMessage } from '../local/lib/user-error.ts'
import { median } from './lib/load.ts'
import { type Figure, report } from './lib/report.ts'

const ROUNDS = 5
const TIMEOUT_MS = 170_000

interface MeasuredStart {
  /** Milliseconds from the command to the event that `untilPage` or `untilReady` waits for. */
  page: number
  /** Milliseconds of each part; parts overlap. */
  parts: Map<string, number>
}

const folder = await createTemporaryFolder('bench-start')
try {
  // A capture contains the addresses of local services, so a start on other ports would run the program again.
  const port = await findFreePort()
  const first = await timeCloud(port, untilReady)
  const wrangler = await installWrangler()
  const later: MeasuredStart[] = []
  const baselines: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    later.push(await timeCloud(port, untilPage))
    if (wrangler) baselines.push(await timeWrangler(wrangler))
  }
  report([
    { name: 'start.first', value: first.page, unit: 'ms', goal: { op: '<=', value: 8000 } },
    ...toPartFigures('start.first', [first]),
    { name: 'start.later', value: median(later.map(({ page }) => page)), unit: 'ms' },
    ...toPartFigures('start.later', later),
    ...toWranglerFigures(later, baselines),
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

function toPartFigures(name: string, starts: readonly MeasuredStart[]): Figure[] {
  const parts = [...(starts[0]?.parts.keys() ?? [])]
  return parts.map((part) => ({
    name: `${name}.${part.replaceAll(' ', '-')}`,
    value: median(starts.map(({ parts }) => parts.get(part) ?? 0)),
    unit: 'ms',
  }))
}

function toWranglerFigures(
  later: readonly MeasuredStart[],
  baselines: readonly number[],
): Figure[] {
  if (baselines.length === 0) return []
  const wrangler = median([...baselines])
  const ratio = median(later.map(({ page }) => page)) / wrangler
  return [
    { name: 'start.wrangler', value: wrangler, unit: 'ms' },
    { name: 'start.ratio', value: ratio, unit: 'x', goal: { op: '<=', value: 0.45 } },
  ]
}

/** Waits for an event of a start; `ready` is fulfilled when the line `Ready in` is printed. */
type Until = (port: number, ready: Promise<unknown>) => Promise<unknown>

/**
 * Waits until the first start is ready, without requesting a page: before the demo is in the database, the page
 * would fail, and the worker would share the failure for seconds.
 */
async function untilReady(_port: number, ready: Promise<unknown>): Promise<unknown> {
  return ready
}

/** Waits for the first page, or for the line `Ready in` if it comes earlier. */
async function untilPage(port: number, ready: Promise<unknown>): Promise<unknown> {
  return Promise.race([untilServed(`http://stage.localhost:${port}/`), ready])
}

/** Starts the local cloud, waits for `until` and for the line `Ready in`, and stops it. */
async function timeCloud(port: number, until: Until): Promise<MeasuredStart> {
  const flags = ['--disable-warning=ExperimentalWarning', join(root, 'local/npm-start.js')]
  const args = ['--port', String(port), '--data', join(folder, 'cloud')]
  const start = performance.now()
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = readUntilReady(child.stdout)
  await until(port, printed)
  const page = performance.now() - start
  const parts = parseParts(await printed)
  await stop(child)
  return { page, parts }
}

async function readUntilReady(output: Readable): Promise<string> {
  let printed = ''
  for await (const chunk of output) {
    printed += chunk
    if (printed.includes('Ready in')) return printed
  }
  throw new Error(`The local cloud ended before it was ready: ${printed}`)
}

/** Parses the line with the duration of each part: `postgres 310 ms · store 2 ms`. */
function parseParts(printed: string): Map<string, number> {
  const [line = ''] = /^.* ms · .*$/m.exec(stripVTControlCharacters(printed)) ?? []
  const parts = line.split('·').map((part): [string, number] => {
    const [, name = '', ms] = /^\s*(.+) (\d+) ms\s*$/.exec(part) ?? []
    return [name, Number(ms)]
  })
  return new Map(parts.filter(([name]) => name !== ''))
}

/**
 * Installs wrangler and writes a minimal worker; returns the path of
 * wrangler's command, or undefined when npm fails.
 */
async function installWrangler(): Promise<string | undefined> {
  const project = join(folder, 'wrangler')
  try {
    await promisify(execFile)('npm', ['install', '--prefix', project, '--no-audit', 'wrangler'])
  } catch (error) {
    console.error(
      `start.ratio is skipped: wrangler is not installed (${toErrorMessage(error).trim()}).`,
    )
    return undefined
  }
  await writeFile(
    join(project, 'index.js'),
    `export default { fetch: () => new Response('a page') }`,
  )
  return join(project, 'node_modules/wrangler/bin/wrangler.js')
}

async function timeWrangler(command: string): Promise<number> {
  const port = await findFreePort()
  const flags = ['--port', String(port), '--ip', '127.0.0.1', '--compatibility-date', '2026-07-01']
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'dev', 'index.js', ...flags], {
    cwd: join(folder, 'wrangler'),
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
    stdio: 'ignore',
  })
  await untilServed(`http://127.0.0.1:${port}/`)
  const elapsed = performance.now() - start
  await stop(child)
  return elapsed
}

async function untilServed(address: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const response = await requestLocal(address).catch(() => undefined)
    if (response?.status === 200) return
    if (performance.now() > deadline) throw new Error(`${address} is not served`)
    await sleep(2)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
}
