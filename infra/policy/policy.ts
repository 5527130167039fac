/** A resource as a program declares it, from a capture or from the engine's analyzer. */
export interface CheckedResource {
  /** `urn:pulumi:<stack>::<project>::<type>::<name>` */
  urn: string
  /** Pulumi's type token, such as `cloudflare:index/workersScript:WorkersScript`. */
  type: string
  /** The logical name. */
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the inputs depends on the type of the resource.
  inputs: Record<string, any>
  /** Paths of secrets in `inputs`, such as `bindings[2].text`; undefined if unknown. */
  secretPaths?: readonly string[]
  options: { protect?: boolean; deleteBeforeReplace?: boolean }
}

export interface StackPolicy extends PolicyCheck {
  name: string
  /** The rule in a sentence. */
  rule: string
  /**
   * Why the engine cannot check the policy. Then it is not in the pack, and tests check it for captured
   * stacks.
   */
  testsOnly?: string
}

export interface PolicyCheck {
  /** Checks resources that are declared together, of one stack or of several. */
  findViolations(declared: readonly CheckedResource[]): Violation[]
  /**
   * Checks one resource. Absent if the policy needs several. If it finds a violation, `pulumi up` stops
   * before it changes the resource.
   */
  checkResource?: (resource: CheckedResource) => Message
}

interface Violation {
  resource: CheckedResource
  message: string
}

/** Description of a violation; false or undefined if there is none. */
type Message = string | false | undefined

/** Creates a check of each resource of the types, independent of other resources. */
export function checkEach(
  types: string | readonly string[],
  checkResource: (resource: CheckedResource) => Message,
) {
  return {
    ...checkEachAmong(types, checkResource),
    checkResource: (resource) => (isOfType(resource, types) ? checkResource(resource) : undefined),
  } satisfies PolicyCheck
}

/** Creates a check of each resource of the types that also depends on other resources. */
export function checkEachAmong(
  types: string | readonly string[],
  checkResource: (resource: CheckedResource, declared: readonly CheckedResource[]) => Message,
): PolicyCheck {
  return {
    findViolations: (declared) =>
      ofType(declared, types).flatMap((resource) => {
        const message = checkResource(resource, declared)
        return message ? [{ resource, message }] : []
      }),
  }
}

/**
 * Creates a check that no two resources of a type have the same value; resources without a value are ignored.
 */
export function checkUnique(
  type: string,
  toValue: (resource: CheckedResource) => string | undefined,
): PolicyCheck {
  return checkEachAmong(type, (resource, declared) => {
    const value = toValue(resource)
    const first = ofType(declared, type).find((other) => toValue(other) === value)
    return value !== undefined && first !== resource && `${value} is declared already`
  })
}

/** Returns the resources whose type token ends in one of the names, such as `WorkersScript`. */
export function ofType(
  declared: readonly CheckedResource[],
  types: string | readonly string[],
): CheckedResource[] {
  return declared.filter((resource) => isOfType(resource, types))
}

function isOfType({ type }: CheckedResource, types: string | readonly string[]): boolean {
  return [types].flat().includes(type.split(':').at(-1) ?? '')
}

/** Returns the name of a resource's stack. */
export const stackOf = ({ urn }: CheckedResource) => urn.split(':')[2] ?? ''
