import * as z from 'zod/mini'
import { type Omission, type Origin, originOf, type Report } from './row-origin.ts'

/** Returns a column's value when it matches its schema, else undefined; reports a value that does not match. */
export function keepValid<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  omission: Omission,
  report: Report,
): z.infer<Schema> | undefined {
  if (value === null || value === undefined) return undefined
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  report(omission)
  return undefined
}

const MAX_ROUNDS = 5

/**
 * Repairs, in place, the values that do not match the schema: a nullable field becomes null, an item is removed, an
 * invalid list or record becomes empty. Each repair affects the smallest possible part.
 * @throws Error that names the fields when a required field of the response itself is invalid
 */
export function repair<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: unknown,
  report: Report,
): z.infer<Schema> {
  for (let round = 0; ; round++) {
    const parsed = z.safeParse(schema, answer)
    if (parsed.success) return parsed.data
    const { issues } = parsed.error
    const repairs = issues.map(({ path }) => findRepair(schema, answer, path))
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

/** Finds the innermost part of the path that may be null, empty or absent. */
function findRepair(
  schema: z.ZodMiniType,
  answer: unknown,
  path: readonly PropertyKey[],
): Repair | undefined {
  let part = { schema: unwrap(schema).schema, value: answer }
  let origin: { at: number; row: Origin } | undefined
  let innermost: Omit<Repair, 'omission'> | undefined
  path.forEach((key, depth) => {
    if (typeof part.value !== 'object' || part.value === null) return
    const row = originOf(part.value)
    if (row) origin = { at: depth, row }
    const inner = unwrap(getInner(part.schema, key))
    const value = toReplacement(part.schema, inner)
    if (value !== REQUIRED) innermost = { container: part.value, key, value }
    part = { schema: inner.schema, value: Reflect.get(part.value, key) }
  })
  // An item that is invalid as a whole may come from its own row.
  const row = originOf(part.value)
  if (row) origin = { at: path.length, row }
  const field = path.slice(origin?.at ?? 0).filter((key) => typeof key === 'string')
  const { table, id } = origin?.row ?? { table: '', id: '' }
  return innermost && { ...innermost, omission: { table, id, field: field.join('.') } }
}

/** Marks a field that its container cannot do without. */
const REQUIRED = Symbol('required')

interface Inner {
  schema: Definition | undefined
  nullable: boolean
}

function toReplacement(
  container: Definition | undefined,
  { schema, nullable }: Inner,
): Repair['value'] | typeof REQUIRED {
  if (container?.type === 'array' || container?.type === 'record') return undefined
  if (nullable) return null
  if (schema?.type === 'array') return []
  if (schema?.type === 'record') return {}
  return REQUIRED
}

/** The fields of a schema's definition that are used here. */
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

function unwrap(schema: z.ZodMiniType | undefined): Inner {
  let definition = schema && toDefinition(schema)
  let nullable = false
  while (definition?.innerType) {
    nullable ||= definition.type === 'nullable'
    definition = toDefinition(definition.innerType)
  }
  return { schema: definition, nullable }
}

function applyRepairs(repairs: Repair[], report: Report): void {
  const removed = new Map<unknown[], Set<number>>()
  for (const { container, key, value, omission } of repairs) {
    report(omission)
    if (value !== undefined) Reflect.set(container, key, value)
    else if (!Array.isArray(container)) Reflect.deleteProperty(container, key)
    else removed.set(container, (removed.get(container) ?? new Set()).add(Number(key)))
  }
  for (const [list, indexes] of removed) {
    const kept = list.filter((_, i) => !indexes.has(i))
    list.splice(0, list.length, ...kept)
  }
}
