import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const LEAVES = ['contract', 'http']

/**
 * Files below `from` may import files of their own folder and of `may`, and nothing else of the project.
 * The first row that fits a file holds. CONTRIBUTING.md shows the same table.
 */
const RULES: readonly { from: string; may: readonly string[]; instead: string }[] = [
  { from: 'contract/constants.ts', may: [], instead: 'Keep it free of imports, zod included.' },
  { from: 'contract/', may: [], instead: 'Pass what differs in as a parameter.' },
  { from: 'http/', may: [], instead: 'Pass what differs in as a parameter.' },
  { from: 'prisma/', may: [], instead: 'Code that knows content belongs to themes/ or demo/.' },
  {
    from: 'themes/',
    may: [...LEAVES, 'prisma'],
    instead: 'Code that knows the two newsrooms belongs to demo/.',
  },
  {
    from: 'demo/',
    may: [...LEAVES, 'prisma', 'themes'],
    instead: 'Data that a site needs without the demo belongs to themes/.',
  },
  {
    from: 'api/entrypoints/migrate.ts',
    may: [...LEAVES, 'prisma', 'api', 'themes', 'demo'],
    instead: 'The migration function loads themes and the demo, and nothing else.',
  },
  {
    from: 'api/',
    may: [...LEAVES, 'prisma'],
    instead: 'Share schemas and paths with the worker in contract/, rules of HTTP in http/.',
  },
  {
    from: 'workers/site/',
    may: LEAVES,
    instead: 'The site worker reaches the read API over HTTP only; share schemas in contract/.',
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
    instead: 'It checks templates by the code that renders them, and nothing else of the worker.',
  },
  {
    from: 'ops/',
    // The status command explains a path by the very function that routes it.
    may: [...LEAVES, 'infra', 'themes', 'demo', 'workers/site/rendering/route.ts'],
    instead: 'Ask a running service over HTTP.',
  },
  {
    from: 'local/',
    may: [...LEAVES, 'infra', 'prisma', 'themes', 'demo', 'ops/lib'],
    instead: 'Run it by path, as its own runtime would.',
  },
  {
    from: 'bench/',
    may: [...LEAVES, 'prisma', 'themes', 'demo', 'api', 'workers', 'infra', 'local', 'ops/lib'],
    instead: 'Nothing imports bench/; move shared helpers to the part that they measure.',
  },
]

/** Parents whose folders form layers. */
const LAYERED = ['api', 'workers/site', 'workers/media', 'local', 'local/emulators']

/** Tests and their helpers may start what they need. */
const TEST_MAY = ['prisma', 'demo', 'themes', 'local', 'api/tests', 'workers']
const isTest = (file: string) => /\.test\.ts$|\/tests\/|\/testing\/|test-database\.ts$/.test(file)

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|js)$/.test(file) && file.includes('/'))

function importsOf(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return [...text.matchAll(IMPORT)].map(([, path = '']) => normalize(join(dirname(file), path)))
}

/** Imports between the folders directly below `parent`; files that lie beside them count as nothing. */
function siblingGraph(parent: string): Map<string, string[]> {
  const folderOf = (file: string) => new RegExp(`^${parent}/([^/]+)/`).exec(file)?.[1]
  const graph = new Map<string, string[]>()
  for (const file of files.filter((each) => !isTest(each))) {
    const folder = folderOf(file)
    if (folder === undefined) continue
    const others = importsOf(file).flatMap((target) => folderOf(target) ?? [])
    const known = graph.get(folder) ?? []
    graph.set(folder, [...known, ...others.filter((other) => other !== folder)])
  }
  return graph
}

const covers = (allowed: string, file: string) => file === allowed || file.startsWith(`${allowed}/`)

describe('imports go one way', () => {
  test.each(RULES)('$from imports only what its row allows', ({ from, may, instead }) => {
    const own = from.endsWith('/') ? [from.slice(0, -1)] : []
    const owned = files.filter(
      (file) => RULES.find((rule) => file.startsWith(rule.from))?.from === from,
    )
    const violations = owned.flatMap((file) => {
      const allowed = [...own, ...may, ...(isTest(file) ? TEST_MAY : [])]
      return importsOf(file)
        .filter((target) => !allowed.some((each) => covers(each, target)))
        .map((target) => `${file} imports ${target}. ${instead}`)
    })
    expect(owned.length, `${from} names no file`).toBeGreaterThan(0)
    expect(violations).toEqual([])
  })

  test('no file imports itself by way of others', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]))
    expect(findCycles(graph)).toEqual([])
  })

  test.each(LAYERED)('no folder of %s imports itself by way of its siblings', (parent) => {
    expect(findCycles(siblingGraph(parent))).toEqual([])
  })
})

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
