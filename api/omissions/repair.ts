import * as z from 'zod/mini'
import { getOrigin, type Omission, type ReportOmission, type RowOrigin } from './row-origin.ts'

/** Parses the value of a column; reports a value that does not match the schema and returns undefined. */
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

const MAX_ROUNDS = 5

/**
 * Replaces, in place, the values that do not match the schema: a nullable field becomes null, an item is removed, an
 * invalid list or record becomes empty. Each replacement affects the smallest possible part and is reported.
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
  /** Undefined: the item is removed. */
  value: null | [] | Record<string, never> | undefined
  omission: Omission
}

/** Finds the innermost part on the path to an invalid value that may be null, empty or absent. */
function findRepair(
  schema: z.ZodMiniType,
  response: unknown,
  path: readonly PropertyKey[],
): Repair | undefined {
  let part = { schema: unwrap(schema).schema, value: response }
  let origin: { depth: number; row: RowOrigin } | undefined
  let innermost: Omit<Repair, 'omission'> | undefined
  path.forEach((key, depth) => {
    if (typeof part.value !== 'object' || part.value === null) return
    const row = getOrigin(part.value)
    if (row) origin = { depth, row }
    const inner = unwrap(getInner(part.schema, key))
    const value = toReplacement(part.schema, inner)
    if (value !== REQUIRED) innermost = { container: part.value, key, value }
    part = { schema: inner.schema, value: Reflect.get(part.value, key) }
  })
  // An item that is invalid as a whole may have a row of its own.
  const row = getOrigin(part.value)
  if (row) origin = { depth: path.length, row }
  const field = path.slice(origin?.depth ?? 0).filter((key) => typeof key === 'string')
  const { table, id } = origin?.row ?? { table: '', id: '' }
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
): Repair['value'] | typeof REQUIRED {
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
  for (const { container, key, value, omission } of repairs) {
    report(omission)
    if (value !== undefined) Reflect.set(container, key, value)
    else if (!Array.isArray(container)) Reflect.deleteProperty(container, key)
    else removed.set(container, (removed.get(container) ?? new Set()).add(Number(key)))
  }
  for (const [list, indexes] of removed) {
    const remaining = list.filter((_, i) => !indexes.has(i))
    list.splice(0, list.length, ...remaining)
  }
}
