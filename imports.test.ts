import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const LEAVES = ['contract', 'http']

/**
 * A file whose path begins with `from` may import only files of the folder `from` and of `may`. `instead` is the
 * advice for other imports. The first matching row applies. CONTRIBUTING.md has the same table.
 */
const RULES: readonly { from: string; may: readonly string[]; instead: string }[] = [
  { from: 'contract/constants.ts', may: [], instead: 'This file imports nothing, not even zod.' },
  { from: 'contract/', may: [], instead: 'Pass the value as a parameter.' },
  { from: 'http/', may: [], instead: 'Pass the value as a parameter.' },
  {
    from: 'prisma/',
    may: [],
    instead: 'Code that depends on content belongs in themes/ or demo/.',
  },
  {
    from: 'themes/',
    may: [...LEAVES, 'prisma'],
    instead: 'Code for the sites of the demo belongs in demo/.',
  },
  {
    from: 'demo/',
    may: [...LEAVES, 'prisma', 'themes'],
    instead: 'Data that a site needs without the demo belongs in themes/.',
  },
  {
    from: 'api/entrypoints/migrate.ts',
    may: [...LEAVES, 'prisma', 'api', 'themes', 'demo'],
    instead: 'Besides the API, the migration function loads only themes and the demo.',
  },
  {
    from: 'api/',
    may: [...LEAVES, 'prisma'],
    instead: 'Share schemas and paths with the worker in contract/, rules of HTTP in http/.',
  },
  {
    from: 'workers/site/',
    may: LEAVES,
    instead: 'The site worker uses the read API only over HTTP; share schemas in contract/.',
  },
  {
    from: 'workers/media/',
    may: ['http', 'contract/constants.ts'],
    instead: 'Share rules of HTTP in http/, constants in contract/constants.ts.',
  },
  {
    from: 'infra/',
    may: LEAVES,
    instead: 'Name entry points by path (infra/bundle.ts) instead of importing them.',
  },
  {
    from: 'ops/publish-theme/',
    may: [...LEAVES, 'infra', 'themes', 'demo', 'ops', 'workers/site/rendering'],
    instead: 'Of the workers, it uses only workers/site/rendering/.',
  },
  {
    from: 'ops/',
    // The status command explains a path with the site worker's routing.
    may: [...LEAVES, 'infra', 'themes', 'demo', 'workers/site/rendering/route.ts'],
    instead: 'Request a running service over HTTP.',
  },
  {
    from: 'local/',
    may: [...LEAVES, 'infra', 'prisma', 'themes', 'demo', 'ops/lib'],
    instead: 'Run it by path, as its runtime does.',
  },
  {
    from: 'bench/',
    may: [...LEAVES, 'prisma', 'themes', 'demo', 'api', 'workers', 'infra', 'local', 'ops/lib'],
    instead: 'Of ops/, bench/ uses only ops/lib/: run other commands as processes.',
  },
]

/** Folders whose subfolders must not import each other in a cycle. */
const LAYERED = ['api', 'workers/site', 'workers/media', 'local', 'local/emulators']

/** Tests and their helpers may also import these. */
const TEST_MAY = ['prisma', 'demo', 'themes', 'local', 'api/tests', 'workers']
const isTest = (file: string) => /\.test\.ts$|\/tests\/|\/testing\/|test-database\.ts$/.test(file)

/** Matches the relative path of an import, static or dynamic, if it is a literal. */
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  // Git also lists deleted files until their deletion is staged.
  .filter((file) => /\.(ts|js)$/.test(file) && file.includes('/') && existsSync(file))

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(IMPORT)].map(([, path = '']) => normalize(join(dirname(file), path)))
}

/** Returns the imports between the folders directly below `parent`; ignores files directly in `parent`. */
function siblingGraph(parent: string): Map<string, string[]> {
  const folderOf = (file: string) => new RegExp(`^${parent}/([^/]+)/`).exec(file)?.[1]
  const graph = new Map<string, string[]>()
  for (const file of files.filter((each) => !isTest(each))) {
    const folder = folderOf(file)
    if (folder === undefined) continue
    const others = importsOf(file).flatMap((target) => folderOf(target) ?? [])
    const earlier = graph.get(folder) ?? []
    graph.set(folder, [...earlier, ...others.filter((other) => other !== folder)])
  }
  return graph
}

const isWithin = (allowed: string, file: string) =>
  file === allowed || file.startsWith(`${allowed}/`)

describe('imports', () => {
  test.each(RULES)('$from imports only what its row allows', ({ from, may, instead }) => {
    const sameFolder = from.endsWith('/') ? [from.slice(0, -1)] : []
    const covered = files.filter(
      (file) => RULES.find((rule) => file.startsWith(rule.from))?.from === from,
    )
    const violations = covered.flatMap((file) => {
      const allowed = [...sameFolder, ...may, ...(isTest(file) ? TEST_MAY : [])]
      return importsOf(file)
        .filter((target) => !allowed.some((each) => isWithin(each, target)))
        .map((target) => `${file} imports ${target}. ${instead}`)
    })
    expect(covered.length, `${from} matches no file`).toBeGreaterThan(0)
    expect(violations).toEqual([])
  })

  test('files do not import each other in a cycle', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]))
    expect(findCycles(graph)).toEqual([])
  })

  test.each(LAYERED)('the folders of %s do not import each other in a cycle', (parent) => {
    expect(findCycles(siblingGraph(parent))).toEqual([])
  })
})

/** Returns each cycle of a graph as `a → b → a`. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: readonly string[]) => {
    const start = trail.indexOf(file)
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}
