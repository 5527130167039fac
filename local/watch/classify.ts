/** Parts of the local cloud, in the order in which they are reloaded. */
const PARTS = [
  'program',
  'stack file',
  'migrations',
  'read API',
  'site worker',
  'media worker',
  'demo content',
  'templates',
  'stylesheets',
] as const
export type CloudPart = (typeof PARTS)[number]

/** Parts that a changed file reloads; the first matching pattern applies. */
const RULES: readonly [RegExp, readonly CloudPart[]][] = [
  [/\.(test|system\.test)\.ts$|\/(tests|testing|golden)\/|^prisma\/generated\//, []],
  [/^Pulumi\.[\w.-]*yaml$/, ['stack file']],
  [/^infra\/.*\.ts$/, ['program']],
  [/^workers\/site\/.*\.(ts|wasm)$/, ['site worker']],
  [/^workers\/media\/.*\.ts$/, ['media worker']],
  [/^(contract|http)\/.*\.ts$/, ['read API', 'site worker', 'media worker']],
  [/^api\/.*\.ts$/, ['read API']],
  [/^prisma\/migrations\//, ['migrations', 'read API']],
  [/^prisma\/.*\.ts$/, ['read API']],
  [/^themes\/templates\/.*\.liquid$/, ['templates']],
  [/^themes\/css\/.*\.css$/, ['stylesheets']],
  [/^demo\/content\/.*\.(md|yaml)$/, ['demo content']],
]

/** Returns the parts to reload, each with its changed files; paths are relative to the project. */
export function classify(paths: Iterable<string>): Map<CloudPart, string[]> {
  const changed = new Map<CloudPart, string[]>()
  for (const path of paths) {
    const [, parts = []] = RULES.find(([pattern]) => pattern.test(path)) ?? []
    for (const part of parts) changed.set(part, [...(changed.get(part) ?? []), path])
  }
  return new Map(
    PARTS.flatMap((part) => (changed.has(part) ? [[part, changed.get(part) ?? []]] : [])),
  )
}
