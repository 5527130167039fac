/** A resource as a program declared it, whoever looked on: a recording, or the engine's analyzer. */
export interface Declared {
  /** `urn:pulumi:<stack>::<project>::<type>::<name>` */
  urn: string
  /** Pulumi's type token, such as `cloudflare:index/workersScript:WorkersScript`. */
  type: string
  /** The logical name. */
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: each policy knows the shape of the types it reads.
  inputs: Record<string, any>
  /** Where `inputs` holds secrets, such as `bindings[2].text`; absent where nobody can tell. */
  secretPaths?: readonly string[]
  options: { protect?: boolean; deleteBeforeReplace?: boolean }
}

export interface Policy {
  name: string
  /** What holds, in a sentence. */
  rule: string
  /** Judges all that is declared together, of one stack or of several. */
  violations(declared: readonly Declared[]): Violation[]
}

interface Violation {
  resource: Declared
  message: string
}

type Judge = (resource: Declared, declared: readonly Declared[]) => string | false | undefined

/** Judges every resource of a type or types; `judge` says what is wrong with one. */
export function each(types: string | readonly string[], judge: Judge): Policy['violations'] {
  return (declared) =>
    ofType(declared, types).flatMap((resource) => {
      const message = judge(resource, declared)
      return message ? [{ resource, message }] : []
    })
}

/** No two resources of a type share a value. */
export function unique(
  type: string,
  toValue: (resource: Declared) => string | undefined,
): Policy['violations'] {
  return each(type, (resource, declared) => {
    const value = toValue(resource)
    const first = ofType(declared, type).find((other) => toValue(other) === value)
    return value !== undefined && first !== resource && `${value} is declared already`
  })
}

/** Resources whose type token ends in one of the names, such as `WorkersScript`. */
export function ofType(
  declared: readonly Declared[],
  types: string | readonly string[],
): Declared[] {
  return declared.filter(({ type }) => [types].flat().includes(type.split(':').at(-1) ?? ''))
}

export const stackOf = ({ urn }: Declared) => urn.split(':')[2] ?? ''
