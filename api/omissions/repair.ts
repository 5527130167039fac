import * as z from 'zod/mini'
import { getSourceRow, type Omission, type ReportOmission, type SourceRow } from './source-row.ts'

/** Parses the value of a column. Returns undefined for null, and for an invalid value, which is reported. */
export function parseOrReport<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  omission: Omission,
  report: ReportOmission,
): z.infer<Schema> | undefined {
  if (value === null || value === undefined) return undefined
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  report(omission)
  return undefined
}

/** Maximum number of rounds of repairs, after which `repair` throws. */
const MAX_ROUNDS = 5

/**
 * Replaces, in place, the values that do not match the schema: a nullable field becomes null, an invalid item of a
 * list or record is removed, an invalid list or record becomes empty. Each replacement affects the smallest possible
 * part and is reported.
 * @throws Error that names the fields when a required field of the response itself is invalid
 */
export function repair<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: unknown,
  report: ReportOmission,
): z.infer<Schema> {
  for (let round = 0; ; round++) {
    const parsed = z.safeParse(schema, response)
    if (parsed.success) return parsed.data
    const { issues } = parsed.error
    const repairs = issues.map(({ path }) => findRepair(schema, response, path))
    if (round === MAX_ROUNDS || !repairs.every((each) => each !== undefined))
      throw new Error(
        `The response does not match its schema at ${issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
      )
    applyRepairs(repairs, report)
  }
}

interface Repair {
  container: object
  key: PropertyKey
  /** Undefined removes the item. */
  replacement: null | [] | Record<string, never> | undefined
  omission: Omission
}

/** Finds the innermost part on the path to an invalid value that may be null, empty or absent by the schema. */
function findRepair(
  schema: z.ZodMiniType,
  response: unknown,
  path: readonly PropertyKey[],
): Repair | undefined {
  let part = { schema: unwrap(schema).schema, value: response }
  let source: { depth: number; row: SourceRow } | undefined
  let innermost: Omit<Repair, 'omission'> | undefined
  path.forEach((key, depth) => {
    if (typeof part.value !== 'object' || part.value === null) return
    const row = getSourceRow(part.value)
    if (row) source = { depth, row }
    const inner = unwrap(getInner(part.schema, key))
    const replacement = toReplacement(part.schema, inner)
    if (replacement !== REQUIRED) innermost = { container: part.value, key, replacement }
    part = { schema: inner.schema, value: Reflect.get(part.value, key) }
  })
  // If a whole item is invalid, it may itself be built from a row.
  const row = getSourceRow(part.value)
  if (row) source = { depth: path.length, row }
  // Path below the innermost part that was built from a row, without indexes of lists.
  const field = path.slice(source?.depth ?? 0).filter((key) => typeof key === 'string')
  const { table, id } = source?.row ?? { table: '', id: '' }
  return innermost && { ...innermost, omission: { table, id, field: field.join('.') } }
}

/** Marks a field that can be neither null, empty nor absent. */
const REQUIRED = Symbol('required')

/** A schema without its nullable and optional wrappers. */
interface UnwrappedSchema {
  schema: Definition | undefined
  nullable: boolean
}

function toReplacement(
  container: Definition | undefined,
  { schema, nullable }: UnwrappedSchema,
): Repair['replacement'] | typeof REQUIRED {
  if (container?.type === 'array' || container?.type === 'record') return undefined
  if (nullable) return null
  if (schema?.type === 'array') return []
  if (schema?.type === 'record') return {}
  return REQUIRED
}

/** Fields of zod's internal definition that are used here. */
interface Definition {
  type: string
  shape?: Record<PropertyKey, z.ZodMiniType>
  element?: z.ZodMiniType
  valueType?: z.ZodMiniType
  innerType?: z.ZodMiniType
}

const toDefinition = (schema: z.ZodMiniType): Definition => schema._zod.def as Definition

function getInner(container: Definition | undefined, key: PropertyKey): z.ZodMiniType | undefined {
  return container?.shape?.[key] ?? container?.element ?? container?.valueType
}

function unwrap(schema: z.ZodMiniType | undefined): UnwrappedSchema {
  let definition = schema && toDefinition(schema)
  let nullable = false
  while (definition?.innerType) {
    nullable ||= definition.type === 'nullable'
    definition = toDefinition(definition.innerType)
  }
  return { schema: definition, nullable }
}

function applyRepairs(repairs: Repair[], report: ReportOmission): void {
  const removed = new Map<unknown[], Set<number>>()
  for (const { container, key, replacement, omission } of repairs) {
    report(omission)
    if (replacement !== undefined) Reflect.set(container, key, replacement)
    else if (!Array.isArray(container)) Reflect.deleteProperty(container, key)
    else removed.set(container, (removed.get(container) ?? new Set()).add(Number(key)))
  }
  for (const [list, indexes] of removed) {
    const remaining = list.filter((_, i) => !indexes.has(i))
    list.splice(0, list.length, ...remaining)
  }
}
