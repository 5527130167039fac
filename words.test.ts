import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Former names that must not return, each with the standard term that replaced it. */
const OLD_NAMES: readonly [pattern: RegExp, instead: string][] = [
  [/\b(pour|Poured|pouring)\b/, 'pipeToBoth'],
  [/\b(toAccount|Gathered)\b/, 'toLogFields, bufferUpTo'],
  [/\b(Unchanged|Bodiless|Unserved)\b/, 'CacheNotModified, NoBody, HeadersOnly'],
  [/\b(distrust|distrusted)\b/, 'markIncomplete'],
  [/\b(sweep|doomed|forgetSettled)\b/, 'deletePurgedEntries, keysToDelete, prune…'],
  [/\b(createVoid|isVoid|voidSince|Voids)\b/, 'purged, Invalidator'],
  [/\bGLANCE_MS\b/, 'POLL_MS'],
  [/\bsettingsAt\b/, 'settingsReadAt'],
  [/type: 'elsewhere'/, 'otherLanguages'],
  [/\b(toTrail|NOT_LISTED|labelOf)\b/, 'breadcrumbsFor, NOINDEX_FOLLOW, labelFor'],
  [/\b(createGate|recall|epoch)\b/, 'auth, loadCached, cacheVersion'],
  [/\b(Surroundings|Stretch)\b/, 'AffectedContent, RevisionRange'],
  [/\b(findUsurpers|usurper\w*)\b/i, 'shadowing route'],
  [/\b(createDoor|startLibrary|openLibrary|[Hh]oldings)\b/, 'cloudflare-api, capture-cache, state'],
  [/\b(spawnGuarded|toNowherePage|openHome)\b/, 'spawnSupervised, not-found-page, data-folder'],
  [/[rR]ivals?\b|\bamiss\b/, 'baseline, invalid'],
  [/\bclass Fault\b|\bnew Fault\(/, 'UserError'],
  [
    /\b(fromRow|originOf|withOrigin|RowOrigin|keepValid|keepValidColumns)\b/,
    'withSourceRow, getSourceRow, parseOrReport',
  ],
  [/\b(toBinding|sharingTags|sharingCategory|perCategory)\b/, 'toListKey, selectBy…, to…Ranking'],
  [/\b(refuseOtherRelease|toContestedUrl)\b/, 'requireSameRelease, findCommonUrl'],
  [/\b(readFacts|factsBut|readAccess)\b/, 'readEvidence, evidenceWith, readSources'],
  [/\bmend\b/, 'fix, restore'],
  [/\bsaid\b/, 'stderr, message'],
  [
    /'[^']*\b(is|are) no (lower-case|plain|number|path|zone|JSON|URL|port|origin|ARN)\b/,
    'is not a …',
  ],
  [/\b(answerInvoke|answerByToken)\b/, 'readDataSource'],
  [/\b(forgetOthers|forgetObjects)\b/, 'deleteOldConfigs, purgeObjects'],
  [/\b(DatabaseHome|findDatabaseHome)\b/, 'PostgresLocation, locatePostgres'],
  [/\b[Cc]ontenders?\b/, 'LoadTarget, baseline'],
  [/\bclass Refusal\b/, 'CloudflareError'],
  [/\b(refuseTaken|askDeployed)\b/, 'requireUnusedNames, checkPages'],
]

const VAGUE_TYPES = ['Options', 'Tools', 'World', 'Answer', 'Facts']

const SELF = 'words.test.ts'
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  // Git also lists deleted files until their deletion is staged.
  .filter((file) => file.endsWith('.ts') && file !== SELF && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const isIn =
  (...folders: string[]) =>
  (file: string): boolean =>
    folders.some((folder) => file.startsWith(`${folder}/`))

// The workers share only contract/ and http/ with other code, so they may have types of the same name.
const PROGRAMS: readonly [name: string, isPart: (file: string) => boolean][] = [
  ['the site worker', isIn('workers/site', 'contract', 'http')],
  ['the media worker', isIn('workers/media', 'contract', 'http')],
  ['all other code', (file) => !isIn('workers')(file)],
]

function findLines(pattern: RegExp): string[] {
  return files.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  )
}

describe('the code uses standard terms', () => {
  test('no comment begins with "What", "Who", "Whoever" or "All that"', () => {
    expect(findLines(/(?:^|\s)(?:\/\*\*|\/\/|\*)\s+(?:What|Who|Whoever|All that)\b/)).toEqual([])
  })

  test('no object literal is spread into another', () => {
    expect(findLines(/\.\.\.\{/)).toEqual([])
  })

  test.each(OLD_NAMES)('%s is called %s', (pattern) => {
    expect(findLines(pattern)).toEqual([])
  })

  test.each(VAGUE_TYPES)('no type has the vague name %s', (name) => {
    expect(findLines(new RegExp(`^(?:export )?(?:interface|type) ${name}\\b`))).toEqual([])
  })

  test.each(PROGRAMS)('exported types of %s have unique names', (name, isPart) => {
    const places = new Map<string, string[]>()
    for (const { file, text } of files.filter((each) => isPart(each.file)))
      for (const [, type = ''] of text.matchAll(/^export (?:interface|type|class) (\w+)/gm))
        places.set(type, [...(places.get(type) ?? []), file])
    const repeated = [...places].filter(([, found]) => found.length > 1)
    expect(places.size, `${name} has no types`).toBeGreaterThan(0)
    expect(repeated.map(([type, found]) => `${type}: ${found.join(', ')}`)).toEqual([])
  })
})
