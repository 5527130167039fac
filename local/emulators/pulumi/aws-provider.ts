import { toErrorMessage, UserError } from '../../lib/user-error.ts'
import type { CapturedStack, Resource } from './captured-stack.ts'
import { computeOutputs, readDataSource } from './computed-outputs.ts'
import type { DeclaredInputs, ResourceProvider } from './provider-server.ts'
import type { StubContext } from './stub-context.ts'

export interface Aws extends ResourceProvider {
  all(): Resource[]
  /** Returns the resources in the format of captures. */
  captures(): CapturedStack[]
}

interface AwsProviderDeps {
  /** Resources of the state file. */
  saved: readonly Resource[]
  /** Returns the values that the computed outputs of a stack depend on. */
  toContext(stack: string): StubContext
  /** Applies a change to the local services; when it rejects, the change is undone and the update fails. */
  onChange(): Promise<void>
}

/** Emulates the part of an AWS account that the stacks use, with the same computed outputs as captures. */
export function createAws({ saved, toContext, onChange }: AwsProviderDeps): Aws {
  const resources = new Map(saved.map((resource) => [toKey(resource), resource]))
  let lastChange: Promise<void> = Promise.resolve()
  // Changes run one after another, so that a failure affects only the update that caused it.
  const change = (key: string, resource: Resource | undefined): Promise<void> => {
    const set = (value: Resource | undefined) =>
      value ? resources.set(key, value) : resources.delete(key)
    const apply = async () => {
      const before = resources.get(key)
      set(resource)
      await onChange().catch((error) => {
        set(before)
        throw new UserError(`On this machine: ${toErrorMessage(error)}`)
      })
    }
    lastChange = lastChange.catch(() => {}).then(apply)
    return lastChange
  }
  const compute = (declared: DeclaredInputs) => {
    const computed = computeOutputs(declared, toContext(stackOf(declared)))
    if (computed) return computed
    throw new UserError(`The local AWS does not support the resource type ${declared.type}.`)
  }
  const put = (declared: DeclaredInputs, id: string, outputs: Resource['outputs']) =>
    change(toKey({ ...declared, id }), { ...declared, id, outputs, ...UNUSED_FIELDS })
  return {
    async create(declared) {
      const { id, outputs } = compute(declared)
      await put(declared, id, outputs)
      return { id, outputs }
    },
    read: (declared) => resources.get(toKey(declared)),
    async update(declared) {
      const { outputs } = compute(declared)
      await put(declared, declared.id, outputs)
      return outputs
    },
    delete: (declared) => change(toKey(declared), undefined),
    invoke: (token) => readDataSource(token, toContext('')),
    all: () => [...resources.values()],
    captures() {
      const byStack = Map.groupBy(resources.values(), stackOf)
      return [...byStack].map(([stack, resources]) => ({
        stack,
        resources,
        messages: [],
        outputs: { values: {}, secrets: [] },
      }))
    },
  }
}

// Fields of a captured resource that the CLI does not send to a provider.
const UNUSED_FIELDS = { parent: '', custom: true, secretPaths: [], options: {} }

// Two types can have the same id, such as a bucket and its policy.
const toKey = ({ type, id }: Pick<DeclaredInputs, 'type' | 'id'>) => `${type}|${id}`
// `urn:pulumi:<stack>::<project>::…`
const stackOf = ({ urn }: { urn: string }) => urn.split(':')[2] ?? ''
