/** A resource as a program declared it, from a capture or from the engine's analyzer. */
export interface Declared {
  /** `urn:pulumi:<stack>::<project>::<type>::<name>` */
  urn: string
  /** Pulumi's type token, such as `cloudflare:index/workersScript:WorkersScript`. */
  type: string
  /** The logical name. */
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: each policy knows the shape of the types it reads.
  inputs: Record<string, any>
  /** Paths of secrets in `inputs`, such as `bindings[2].text`; absent where they are not known. */
  secretPaths?: readonly string[]
  options: { protect?: boolean; deleteBeforeReplace?: boolean }
}

export interface Policy extends Check {
  name: string
  /** The rule in a sentence. */
  rule: string
  /** Why the engine cannot judge it: then it is held by tests over captured stacks, and not in the pack. */
  testsOnly?: string
}

export interface Check {
  /** Judges resources declared together, of one stack or of several. */
  violations(declared: readonly Declared[]): Violation[]
  /** Judges one resource, where that is enough: `pulumi up` then stops before it changes that resource. */
  judge?: (resource: Declared) => Message
}

interface Violation {
  resource: Declared
  message: string
}

type Message = string | false | undefined

/** Judges each resource of a type or types by itself; `judge` returns what is wrong with it. */
export function each(types: string | readonly string[], judge: (resource: Declared) => Message) {
  return {
    ...eachAmong(types, judge),
    judge: (resource) => (isOfType(resource, types) ? judge(resource) : undefined),
  } satisfies Check
}

/** Judges each resource of a type or types by what is declared beside it. */
export function eachAmong(
  types: string | readonly string[],
  judge: (resource: Declared, declared: readonly Declared[]) => Message,
): Check {
  return {
    violations: (declared) =>
      ofType(declared, types).flatMap((resource) => {
        const message = judge(resource, declared)
        return message ? [{ resource, message }] : []
      }),
  }
}

/** No two resources of a type share a value. */
export function unique(type: string, toValue: (resource: Declared) => string | undefined): Check {
  return eachAmong(type, (resource, declared) => {
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
  return declared.filter((resource) => isOfType(resource, types))
}

function isOfType({ type }: Declared, types: string | readonly string[]): boolean {
  return [types].flat().includes(type.split(':').at(-1) ?? '')
}

export const stackOf = ({ urn }: Declared) => urn.split(':')[2] ?? ''
