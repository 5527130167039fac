import type { Cloudflare } from '../emulators/cloudflare/account.ts'
import { computeOutputs } from '../emulators/pulumi/computed-outputs.ts'
import type { DeclaredInputs, ResourceBackend } from '../emulators/pulumi/provider-server.ts'
import type { Properties } from '../emulators/pulumi/values.ts'
import { UserError } from '../lib/user-error.ts'
import { explain } from './cloudflare-resources.ts'
import { resourceTypes } from './resource-types.ts'

interface CloudflareProviderDeps {
  cloudflare: Cloudflare
  seed: string
  /** Folder that declared files are relative to. */
  programDir: string
  onChange(): void
}

/** Replaces Cloudflare's own provider where that is not installed; writes to the account. */
export function createCloudflareBackend({
  cloudflare,
  seed,
  programDir,
  onChange,
}: CloudflareProviderDeps): ResourceBackend {
  const kindOf = ({ type }: DeclaredInputs) => {
    const kind = resourceTypes[type]
    if (kind) return kind
    throw new UserError(`The local Cloudflare does not support the resource type ${type}.`)
  }
  const put = async (declared: DeclaredInputs) => {
    try {
      await kindOf(declared).put(cloudflare, declared, programDir)
    } catch (error) {
      throw new UserError(explain(error))
    }
    onChange()
  }
  return {
    async create(declared) {
      const { id = '' } = computeOutputs(declared, { seed, region: '' }) ?? {}
      await put({ ...declared, id })
      return { id, outputs: {} }
    },
    read(declared) {
      const live = kindOf(declared).find(cloudflare, declared)
      if (live === undefined) return undefined
      // Only declared inputs are compared; the account adds others.
      const inputs = Object.entries({ ...declared.inputs, ...live }) as [string, never][]
      const declaredOnly = inputs.filter(([key]) => key in declared.inputs)
      return { inputs: Object.fromEntries(declaredOnly) as Properties, outputs: {} }
    },
    async update(declared) {
      await put(declared)
      return {}
    },
    async delete(declared) {
      kindOf(declared).remove(cloudflare, declared)
      onChange()
    },
    invoke: () => undefined,
  }
}
