import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build, type Plugin } from 'esbuild'
import type { runHistory } from '../workers/site/tests/histories/run-history.ts'
import { type Figure, report } from './lib/report.ts'

/** A bug, as replacements of source texts that remove a guard of the design. */
interface PlantedBug {
  name: string
  edits: readonly { file: string; correct: string; wrong: string }[]
}

const SITE = join(import.meta.dirname, '../workers/site')

/** One bug for each guard of the invalidation log whose absence a random history can show. */
const PLANTED_BUGS: readonly PlantedBug[] = [
  toPlantedBug(
    'purged-entries-count-as-outdated',
    'cache/entry.ts',
    "isPurged ? 'purged' : 'outdated'",
    "isPurged ? 'outdated' : 'outdated'",
  ),
  toPlantedBug(
    'sequence-of-the-end-of-a-rendering',
    'cache/page-entry.ts',
    'toEntry(deps, rendered, { ...start, entryType }',
    'toEntry(deps, rendered, { ...start, sequence: log.current.newest, entryType }',
  ),
  toPlantedBug(
    'log-copies-usable-for-a-minute',
    'invalidation/log.ts',
    'USABLE_MS = 5000',
    'USABLE_MS = 60_000',
  ),
  {
    name: 'rows-pruned-at-once-without-reading-kv-again',
    edits: [
      {
        file: 'invalidation/delete-purged-entries.ts',
        correct: 'const keys = await findOlderKeys(row, deps)',
        wrong: 'const keys: string[] = []',
      },
      {
        file: 'invalidation/queries.ts',
        correct: 'SETTLED_MS = 10 * 60_000',
        wrong: 'SETTLED_MS = 0',
      },
      {
        file: 'invalidation/queries.ts',
        correct: 'PRUNE_AFTER_MS = 5 * 60_000',
        wrong: 'PRUNE_AFTER_MS = 0',
      },
    ],
  },
  toPlantedBug(
    'edge-copies-dated-by-the-clock-of-the-isolate',
    'invalidation/log.ts',
    'Math.abs(now + this.#offsetMs -',
    'Math.abs(now -',
  ),
  toPlantedBug(
    'repeated-purges-keep-their-sequence',
    'invalidation/queries.ts',
    'DO UPDATE SET sequence = excluded.sequence,',
    'DO UPDATE SET sequence = invalidations.sequence,',
  ),
  {
    name: 'sequences-count-from-one',
    edits: [
      {
        file: 'invalidation/queries.ts',
        correct: 'max(sequence + 1, $',
        wrong: 'max(sequence + 1, 0 * $',
      },
      {
        file: 'invalidation/queries.ts',
        correct: '(id, sequence) VALUES (1, ',
        wrong: '(id, sequence) VALUES (1, 0 * ',
      },
    ],
  },
  {
    name: 'failed-reads-repeated-after-a-minute',
    edits: [
      {
        file: 'invalidation/log.ts',
        correct: 'now - this.#attemptedAt >= RENEW_AFTER_MS',
        wrong: 'now - this.#attemptedAt >= 60_000',
      },
      {
        file: 'invalidation/log.ts',
        correct: 'FAILURE_PAUSE_MS = 5000',
        wrong: 'FAILURE_PAUSE_MS = 60_000',
      },
    ],
  },
  toPlantedBug(
    'purges-of-the-host-ignored-for-paths',
    'cache/entry.ts',
    'return [WHOLE_HOST, ...paths]',
    'return paths',
  ),
  toPlantedBug(
    'requests-join-renderings-from-before-a-purge',
    'cache/tiered-cache.ts',
    '{findNewestSequence(logCopy, target.path)}`',
    '{0}`',
  ),
  toPlantedBug(
    'older-copies-of-the-log-replace-newer-ones',
    'invalidation/log.ts',
    'stored && !isNewer(this.#copy, stored)',
    'false',
  ),
  toPlantedBug(
    'renderings-without-the-log-stored-in-kv',
    'cache/tiered-cache.ts',
    'kvKey !== undefined && entry.meta.sequence > 0',
    'kvKey !== undefined',
  ),
]

const { values } = parseArgs({
  options: {
    /** Maximum number of histories for each bug. */
    count: { type: 'string', default: '300' },
    /** Only bugs whose name contains this text. */
    only: { type: 'string', default: '' },
    json: { type: 'boolean' },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'planted-bugs-'))
try {
  const figures: Figure[] = []
  for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(values.only)))
    figures.push(...(await findBug(bug, Number(values.count))))
  report(figures)
} finally {
  await rm(folder, { recursive: true })
}
process.exit(0)

function toPlantedBug(name: string, file: string, correct: string, wrong: string): PlantedBug {
  return { name, edits: [{ file, correct, wrong }] }
}

/** Runs histories with the bug until one violates a guarantee, at most `count`. */
async function findBug(bug: PlantedBug, count: number): Promise<Figure[]> {
  const run = await bundleWith(bug)
  const started = performance.now()
  let isFound = false
  let seed = 0
  while (!isFound && seed < count) {
    seed++
    const { violations } = await run(seed)
    isFound = violations.length > 0
    if (isFound) console.error(`${bug.name}, seed ${seed}: ${violations[0]}`)
  }
  const seconds = (performance.now() - started) / 1000
  return [
    {
      name: `planted-bugs.${bug.name}.found`,
      value: isFound ? 1 : 0,
      unit: '',
      goal: { op: '>=', value: 1 },
    },
    { name: `planted-bugs.${bug.name}.histories`, value: seed, unit: '' },
    { name: `planted-bugs.${bug.name}.time`, value: seconds, unit: 's' },
  ]
}

async function bundleWith(bug: PlantedBug): Promise<typeof runHistory> {
  const outfile = join(folder, `${bug.name}.mjs`)
  await build({
    entryPoints: [join(SITE, 'tests/histories/run-history.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    plugins: [toPlugin(bug)],
  })
  const bundled: { runHistory: typeof runHistory } = await import(pathToFileURL(outfile).href)
  return bundled.runHistory
}

/**
 * Returns a plugin of esbuild that makes the replacements. It throws when
 * a file does not contain a text exactly once.
 */
function toPlugin({ name, edits }: PlantedBug): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter: /workers\/site\/.*\.ts$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const { file, correct, wrong } of edits) {
          if (path !== join(SITE, file)) continue
          if (contents.split(correct).length !== 2)
            throw new Error(`${file} must contain exactly once: ${correct}`)
          contents = contents.replace(correct, () => wrong)
        }
        return { contents, loader: 'ts' }
      })
    },
  }
}
