import {
  type CheckedResource,
  checkEach,
  checkEachAmong,
  checkUnique,
  ofType,
  type StackPolicy,
} from './policy.ts'

const CSS_OVERRIDES = ['CSS_OVERRIDE_SLUG', 'CSS_OVERRIDE_VERSION']

/** Rules for routes and hosts. */
export const HOST_POLICIES: StackPolicy[] = [
  {
    name: 'route-patterns-unique',
    rule: 'No two routes have the same pattern',
    ...checkUnique('WorkersRoute', ({ inputs }) => inputs.pattern),
  },
  {
    name: 'route-patterns-plain',
    rule: 'Routes are host/* or host/cmp-media/*, because the precedence of other patterns is hard to predict',
    ...checkEach('WorkersRoute', ({ inputs: { pattern } }) => {
      return !/^[a-z0-9.-]+\/(cmp-media\/)?\*$/.test(pattern) && `the pattern is ${pattern}`
    }),
  },
  {
    name: 'custom-domain-without-record',
    rule: 'No DNS record is declared on the host of a custom domain, which creates its own',
    ...checkEachAmong('DnsRecord', ({ inputs: { name } }, declared) => {
      const domains = ofType(declared, 'WorkersCustomDomain')
      return (
        domains.some(({ inputs }) => inputs.hostname === name) &&
        `${name} is the host of a custom domain`
      )
    }),
  },
  {
    name: 'deleted-before-replaced',
    rule: 'Custom domains and DNS records are deleted before they are replaced',
    ...checkEach(['WorkersCustomDomain', 'DnsRecord'], ({ options }) => {
      return !options.deleteBeforeReplace && 'deleteBeforeReplace is not set'
    }),
  },
]

/** Rules for scripts. */
export const SCRIPT_POLICIES: StackPolicy[] = [
  {
    name: 'script-names-unique',
    rule: 'No two scripts have the same name',
    ...checkUnique('WorkersScript', ({ inputs }) => inputs.scriptName),
  },
  {
    name: 'script-names-short',
    rule: 'Script names have at most 54 characters',
    ...checkEach('WorkersScript', ({ inputs: { scriptName } }) => {
      return scriptName.length > 54 && `${scriptName} has ${scriptName.length} characters`
    }),
  },
  {
    name: 'workers-dev-off',
    rule: 'No worker is reachable on workers.dev',
    ...checkEachAmong('WorkersScript', ({ inputs: { scriptName } }, declared) => {
      const isOff = ofType(declared, 'WorkersScriptSubdomain').some(
        ({ inputs }) =>
          inputs.scriptName === scriptName && !inputs.enabled && inputs.previewsEnabled === false,
      )
      return !isOff && `${scriptName} has no WorkersScriptSubdomain that turns it off`
    }),
  },
  {
    name: 'compatibility-date',
    rule: 'Every script has a compatibility date in the past',
    ...checkEach('WorkersScript', ({ inputs: { compatibilityDate = '' } }) => {
      if (!/^\d{4}-\d\d-\d\d$/.test(compatibilityDate)) return 'it has no valid compatibility date'
      return Date.parse(compatibilityDate) > Date.now() && `${compatibilityDate} is in the future`
    }),
  },
  {
    name: 'no-request-records',
    rule: 'Invocation logs and traces are off, because they would record query strings',
    ...checkEach('WorkersScript', ({ inputs: { observability } }) => {
      if (observability?.logs?.invocationLogs !== false) return 'invocation logs are on'
      return observability.traces?.enabled !== false && 'traces are on'
    }),
  },
]

/** Rules for D1 databases. */
export const DATABASE_POLICIES: StackPolicy[] = [
  {
    name: 'databases-unreplicated',
    rule: 'D1 databases have no read replicas, because a replica may not have the newest purge',
    ...checkEach('D1Database', ({ inputs: { readReplication } }) => {
      return readReplication?.mode !== 'disabled' && `the mode is ${readReplication?.mode}`
    }),
  },
]

/** Rules for bindings. */
export const BINDING_POLICIES: StackPolicy[] = [
  {
    name: 'bindings-sorted',
    rule: 'Bindings are sorted by name, because the provider compares them as a list',
    ...checkEach('WorkersScript', (script) => {
      const names = bindingsOf(script).map(({ name }) => name)
      return names.join() !== names.toSorted().join() && `the order is ${names.join(', ')}`
    }),
  },
  {
    name: 'secret-text-secret',
    rule: 'A binding is a secret of the engine if and only if its type is secret_text',
    testsOnly:
      'The engine passes secrets as plain values, so a policy cannot tell which values are secret.',
    ...checkEach('WorkersScript', (script) => {
      const violating = bindingsOf(script).find(
        ({ type }, index) => isSecret(script, `bindings[${index}]`) === (type !== 'secret_text'),
      )
      return script.secretPaths && violating && `${violating.name} is a ${violating.type}`
    }),
  },
  {
    name: 'css-overrides-on-canary',
    rule: 'CSS overrides are set on the canary, and only there',
    ...checkEach('WorkersScript', (script) => {
      const count = bindingsOf(script).filter(({ name }) => CSS_OVERRIDES.includes(name)).length
      const expected = script.inputs.scriptName.endsWith('-mk2') ? CSS_OVERRIDES.length : 0
      return count !== expected && `${count} instead of ${expected} are set`
    }),
  },
  {
    name: 'media-cached-seven-days',
    rule: 'Media workers cache for 604800 seconds',
    ...checkEach('WorkersScript', (script) => {
      const ttl = textOf(script, 'MEDIA_CACHE_TTL')
      return ttl !== undefined && ttl !== '604800' && `MEDIA_CACHE_TTL is ${ttl}`
    }),
  },
  {
    name: 'media-buckets-differ',
    rule: 'No two media workers read the same bucket',
    ...checkUnique('WorkersScript', (script) => textOf(script, 'STORE_BUCKET')),
  },
]

interface Binding {
  name: string
  type: string
  text?: string
}

function bindingsOf({ inputs }: CheckedResource): Binding[] {
  return inputs.bindings ?? []
}

function textOf(script: CheckedResource, name: string): string | undefined {
  return bindingsOf(script).find((binding) => binding.name === name)?.text
}

function isSecret({ secretPaths = [] }: CheckedResource, prefix: string): boolean {
  return secretPaths.some((path) => path.startsWith(prefix))
}
