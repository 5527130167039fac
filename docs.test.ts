import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const paths = new Set(files.flatMap(toPathAndFolders))
const names = new Set([...paths].map((path) => posix.basename(path)))
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
const sources = files
  .filter((file) => /\.(ts|ya?ml|sh|js)$/.test(file) || file.startsWith('.ci/'))
  .map(read)
  .join('\n')

const documents = files
  .filter((file) => file.endsWith('.md') && !file.startsWith('demo/'))
  .map((file) => ({ file, text: read(file) }))

describe.each(documents)('$file', ({ file, text }) => {
  const prose = text.replace(/^```.*?^```/gms, '')
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)

  test('links to files and headings that exist', () => {
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const local = targets.filter((target) => !/^https?:/.test(target))
    expect(local.filter((target) => !hasTarget(file, target))).toEqual([])
  })

  test('names files and folders that exist', () => {
    const named = quoted.map((words) => words.replace(/\/$/, ''))
    const missing = [
      ...named.filter((path) => isInRepository(path) && !paths.has(path)),
      ...named.filter((name) => /^[\w-]+\.(ts|sh|md|yml)$/.test(name) && !names.has(name)),
    ]
    expect(missing).toEqual([])
  })

  test('an identifier that is named together with a file is in that file', () => {
    const pairs = [...prose.matchAll(/`(\w+)`(?: and `(\w+)`)? in `([\w./-]+\.ts)`/g)]
    const missing = pairs.flatMap(([, one = '', other = one, path = '']) => {
      const words = new Set(read(path).match(/\w+/g))
      return [one, other].filter((name) => !words.has(name)).map((name) => [name, path])
    })
    expect(missing).toEqual([])
  })

  test('names npm scripts that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })

  test('names settings and constants that exist', () => {
    const constants = quoted.filter((words) => /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(words))
    // These variables begin with the name of an environment, so no source has their whole name.
    const isOfEnvironment = (name: string) => /^(SITE|MEDIA)_(STAGE|PROD)_/.test(name)
    expect(constants.filter((name) => !isOfEnvironment(name) && !sources.includes(name))).toEqual(
      [],
    )
  })
})

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

/** Whether a text has the form of a path, and its first folder exists in the repository. */
function isInRepository(text: string): boolean {
  const [folder = '', ...rest] = text.split('/')
  return rest.length > 0 && /^[\w./-]+$/.test(text) && paths.has(folder)
}

/** Returns the path of a file and the paths of all folders that contain it. */
function toPathAndFolders(file: string): string[] {
  const segments = file.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

function hasTarget(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  if (!paths.has(file)) return false
  return anchor === undefined || toAnchors(read(file)).includes(anchor)
}

/** Returns the anchors that GitHub creates for the headings of a document. */
function toAnchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
