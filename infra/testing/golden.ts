interface RecordedStack {
  stack: string
  resources: readonly {
    urn: string
    type: string
    name: string
    id: string
    custom: boolean
    inputs: Record<string, unknown>
    secretPaths: readonly string[]
    outputs: Record<string, unknown>
    options: { version?: string }
  }[]
  outputs: { values: Record<string, unknown>; secrets: readonly string[] }
}

/** Key that marks an asset in the engine's protocol. */
const ASSET_SIGNATURE = '4dabf18193072939515e22adb298388d'

/**
 * Returns a stack's declaration as text for review. A value that a provider computes is replaced by the names
 * of its resource and output; secrets, SHA-256 hashes and WORKER_VERSION are masked; JSON texts are parsed.
 */
export function toGolden({ resources, outputs }: RecordedStack): string {
  const names = nameComputed(resources)
  const custom = resources.filter((resource) => resource.custom)
  const declared = custom.map(({ urn, inputs, secretPaths, options: { version, ...options } }) => [
    toShortName(urn),
    {
      inputs: mask(inputs, names, secretPaths),
      ...(Object.keys(options).length > 0 && { options: mask(sortLists(options), names) }),
    },
  ])
  const golden = {
    resources: Object.fromEntries(declared),
    outputs: mask(outputs.values, names, outputs.secrets),
  }
  return `${JSON.stringify(golden, null, 2)}\n`
}

/** Sorts lists of resource options, such as `dependsOn`, whose order has no meaning. */
function sortLists(options: object): object {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.toSorted() : value,
    ]),
  )
}

function toShortName(urn: string): string {
  const [, , type = '', name = ''] = urn.split('::')
  return `${type.split(':').at(-1)} ${name}`
}

/**
 * Returns pairs of a computed value or URN and its name, longest value first. Outputs that repeat an input
 * are omitted.
 */
function nameComputed(resources: RecordedStack['resources']): [string, string][] {
  const named = resources.flatMap(({ urn, id, inputs, outputs, custom }): [string, string][] => {
    const inputValues = Object.values(inputs)
    const computed = Object.entries({ id, ...outputs }).flatMap(([key, value]) =>
      custom && typeof value === 'string' && !inputValues.includes(value)
        ? [[value, `<${toShortName(urn)}.${key}>`] as [string, string]]
        : [],
    )
    return [...computed, [urn, toShortName(urn)]]
  })
  return named.toSorted(([a], [b]) => b.length - a.length)
}

function mask(
  value: unknown,
  names: readonly [string, string][],
  secretPaths: readonly string[] = [],
  path = '',
): unknown {
  if (secretPaths.includes(path)) return '<secret>'
  if (typeof value === 'string') return maskText(value, names)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => mask(item, names, secretPaths, `${path}[${index}]`))
  }
  const isVersion = 'text' in value && 'name' in value && value.name === 'WORKER_VERSION'
  return Object.fromEntries(
    Object.entries(isVersion ? { ...value, text: '<version>' } : value)
      .filter(([key]) => key !== ASSET_SIGNATURE)
      .map(([key, item]) => [key, mask(item, names, secretPaths, path ? `${path}.${key}` : key)]),
  )
}

function maskText(text: string, names: readonly [string, string][]): unknown {
  const named = names.reduce((masked, [value, name]) => masked.replaceAll(value, name), text)
  if (named.startsWith('{')) return JSON.parse(named)
  return named.replaceAll(/\b[0-9a-f]{64}\b/g, '<sha256>')
}
