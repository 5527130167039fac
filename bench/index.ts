import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { createTemporaryFolder } from '../local/lib/temporary-folder.ts'

interface Benchmark {
  file: string
  measures: string
  /** Additional options, one line each. */
  options?: readonly string[]
}

/** Line of an option in a usage text. */
const PORT = '--port N   use the local cloud whose edge listens on this port, instead of a new one'

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  api: {
    file: 'api.ts',
    measures:
      'read API: cached and uncached responses beside bare SQL, and a sitemap of 25,000 URLs',
  },
  consistency: { file: 'consistency.ts', measures: 'reads after commits over two API instances' },
  crawl: {
    file: 'audit/crawl.ts',
    measures: 'every page of stage and prod: links, markup, feeds, accessibility',
    options: [PORT],
  },
  faults: { file: 'faults.ts', measures: 'cached pages while the API, the database or KV fail' },
  freshness: {
    file: 'freshness.ts',
    measures: 'seconds until a commit or a purge reaches every data centre',
  },
  'freshness-kinds': {
    file: 'freshness-kinds.ts',
    measures: 'seconds until a visitor sees each kind of change of content in the local cloud',
    options: ['--write    also write the table of docs/cms.md'],
  },
  histories: {
    file: 'histories.ts',
    measures: 'random histories of purges and faults, checked against the guarantees of a purge',
    options: [
      '--count N   number of histories (10000)',
      '--seed N    first seed (1)',
      '--first     stop at the first violation',
    ],
  },
  lighthouse: {
    file: 'audit/lighthouse.ts',
    measures: 'Lighthouse scores of four kinds of pages',
    options: [PORT],
  },
  media: {
    file: 'media.ts',
    measures: 'media worker: hits, ranges and misses beside plain workers',
  },
  'planted-bugs': {
    file: 'planted-bugs.ts',
    measures: 'random histories that it takes to find each planted bug of the invalidation log',
    options: [
      '--count N    histories per bug (300)',
      '--only TEXT  only bugs whose name contains this text',
    ],
  },
  reload: {
    file: 'reload.ts',
    measures: 'milliseconds from saving a file in watch mode until it is served',
  },
  site: {
    file: 'site.ts',
    measures: 'site worker: hits and misses beside plain workers, CPU, bundle size',
  },
  start: { file: 'start.ts', measures: 'first and later starts of the local cloud' },
}

const names = Object.keys(BENCHMARKS)

const USAGE = `Usage: npm run bench -- <name> [--json]

Runs one benchmark and prints one line per figure: <name> <value><unit> goal <op><value> ok|short

${names.map((name) => `  ${name.padEnd(15)} ${BENCHMARKS[name]?.measures}`).join('\n')}

Options:
  --json     print the figures as JSON
  --help     print this; after a name, the usage of that benchmark

Exit codes: 0 the benchmark ran (also when a figure falls short), 1 it failed, 2 the command line is wrong.`

function toUsage(name: string, { measures, options = [] }: Benchmark): string {
  const lines = ['--json     print the figures as JSON', '--help     print this', ...options]
  return `Usage: npm run bench -- ${name} [options]

Measures ${measures}.

Options:
${lines.map((line) => `  ${line}`).join('\n')}

Exit codes: 0 it ran (also when a figure falls short), 1 it failed, 2 the command line is wrong.`
}

function fail(message: string): never {
  console.error(message)
  exit(2)
}

const [name, ...rest] = argv.slice(2)
if (name === undefined || name === '--help') {
  console.log(USAGE)
  exit(name === undefined ? 2 : 0)
}
const benchmark = BENCHMARKS[name]
if (!benchmark) fail(`There is no benchmark "${name}". Choose one of ${names.join(', ')}.`)
if (rest.includes('--help')) {
  console.log(toUsage(name, benchmark))
  exit(0)
}
const known = ['--json', ...(benchmark.options ?? []).map((line) => line.split(' ')[0])]
const unknown = rest.find((each) => each.startsWith('-') && !known.includes(each.split('=')[0]))
if (unknown) fail(`The benchmark "${name}" has no option "${unknown}". Try --help.`)

const file = join(import.meta.dirname, benchmark.file)
// Miniflare deletes its caches in the background, and the benchmark may exit earlier.
const temporary = await createTemporaryFolder('bench')
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...rest], {
  env: { ...process.env, TMPDIR: temporary },
  stdio: 'inherit',
})
// Ctrl-C ends the benchmark, too; its files are deleted afterwards.
process.on('SIGINT', () => {})
child.on('exit', (code) => {
  rmSync(temporary, { recursive: true, force: true })
  exit(code ?? 1)
})
