import { toSentence, UserError } from '../../lib/user-error.ts'
import type { CapturedStack, Resource } from './captured-stack.ts'
import { answerInvoke, computeOutputs } from './computed-outputs.ts'
import type { DeclaredInputs, ResourceBackend } from './provider-server.ts'
import type { StubContext } from './stub-context.ts'

export interface Aws extends ResourceBackend {
  all(): Resource[]
  /** Its resources, in the format of captures. */
  captures(): CapturedStack[]
}

interface AwsProviderDeps {
  /** Resources of the last start. */
  saved: readonly Resource[]
  toContext(stack: string): StubContext
  /** Applies a change to the local services; a failure fails the update that caused it. */
  onChange(): Promise<void>
}

/** Emulates the part of an AWS account that the stacks use, with the same computed outputs as captures. */
export function createAws({ saved, toContext, onChange }: AwsProviderDeps): Aws {
  const resources = new Map(saved.map((resource) => [toKey(resource), resource]))
  let turn: Promise<void> = Promise.resolve()
  // Changes are serial, and undone when the local services reject them, so that a failure affects only its own update.
  const hold = (key: string, resource: Resource | undefined): Promise<void> => {
    const set = (value: Resource | undefined) =>
      value ? resources.set(key, value) : resources.delete(key)
    const change = async () => {
      const before = resources.get(key)
      set(resource)
      await onChange().catch((error) => {
        set(before)
        throw new UserError(`On this machine: ${toSentence(error)}`)
      })
    }
    turn = turn.catch(() => {}).then(change)
    return turn
  }
  const compute = (declared: DeclaredInputs) => {
    const computed = computeOutputs(declared, toContext(stackOf(declared)))
    if (computed) return computed
    throw new UserError(`The local AWS does not support the resource type ${declared.type}.`)
  }
  const put = (declared: DeclaredInputs, id: string, outputs: Resource['outputs']) =>
    hold(toKey({ ...declared, id }), { ...declared, id, outputs, ...BARE })
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
    delete: (declared) => hold(toKey(declared), undefined),
    invoke: (token) => answerInvoke(token, toContext('')),
    all: () => [...resources.values()],
    captures() {
      const byStack = Map.groupBy(resources.values(), stackOf)
      return [...byStack].map(([stack, resources]) => ({
        ...{ stack, resources, said: [] },
        outputs: { values: {}, secrets: [] },
      }))
    },
  }
}

const BARE = { parent: '', custom: true, secretPaths: [], options: {} }

const toKey = ({ type, id }: Pick<DeclaredInputs, 'type' | 'id'>) => `${type}|${id}`
const stackOf = ({ urn }: { urn: string }) => urn.split(':')[2] ?? ''
