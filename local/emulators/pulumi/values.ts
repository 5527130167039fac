/** Value of a property; `UNKNOWN` where only a deployment computes it. */
export type Value = null | boolean | number | string | Value[] | Properties
export type Properties = { [name: string]: Value }

/** The engine protocol's placeholder for a value that is unknown in a preview. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9'

// In the engine protocol, a secret is an object with this property and value, and the plain text as `value`.
const SIGNATURE = '4dabf18193072939515e22adb298388d'
const SECRET = '1b47061264138c4ac30d75fd1eb44270'

function unwrap(wire: Value, secretPaths: string[] = [], path = ''): Value {
  if (Array.isArray(wire)) {
    return wire.map((item, index) => unwrap(item, secretPaths, `${path}[${index}]`))
  }
  if (wire === null || typeof wire !== 'object') return wire
  if (wire[SIGNATURE] === SECRET) {
    secretPaths.push(path)
    return unwrap(wire.value ?? null, secretPaths, path)
  }
  return unwrapProperties(wire, secretPaths, path)
}

/** Returns properties without the wrappers of secrets; adds their paths to `secretPaths`. */
export function unwrapProperties(wire: Properties, secretPaths: string[], path = ''): Properties {
  const entries = Object.entries(wire).map(([name, value]): [string, Value] => [
    name,
    unwrap(value, secretPaths, path === '' ? name : `${path}.${name}`),
  ])
  return Object.fromEntries(entries)
}

export function wrapSecret(value: Value): Value {
  return { [SIGNATURE]: SECRET, value }
}

/** Returns whether a value is or contains a secret. */
export function isSecret(wire: Value | undefined): boolean {
  return JSON.stringify(wire)?.includes(`"${SIGNATURE}":"${SECRET}"`) ?? false
}
