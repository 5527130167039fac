import type { CloudflareAccount } from '../emulators/cloudflare/account.ts'
import { computeOutputs } from '../emulators/pulumi/computed-outputs.ts'
import type { DeclaredInputs, ResourceProvider } from '../emulators/pulumi/provider-server.ts'
import type { Properties } from '../emulators/pulumi/values.ts'
import { UserError } from '../lib/user-error.ts'
import { toReason } from './cloudflare-resources.ts'
import { resourceTypes } from './resource-types.ts'

interface CloudflareProviderDeps {
  cloudflare: CloudflareAccount
  /** Random text from which the IDs of resources are derived. */
  secretSeed: string
  /** Folder of the program; paths in declarations are relative to it. */
  programDir: string
  onChange(): void
}

/**
 * Creates the provider that replaces Cloudflare's on machines where that is not installed. It changes the
 * emulated account `cloudflare` instead of calling Cloudflare's API.
 */
export function createCloudflareProvider({
  cloudflare,
  secretSeed,
  programDir,
  onChange,
}: CloudflareProviderDeps): ResourceProvider {
  const findType = ({ type }: DeclaredInputs) => {
    const resourceType = resourceTypes[type]
    if (resourceType) return resourceType
    throw new UserError(`The local Cloudflare does not support the resource type ${type}.`)
  }
  const put = async (declared: DeclaredInputs) => {
    try {
      await findType(declared).put(cloudflare, declared, programDir)
    } catch (error) {
      throw new UserError(toReason(error))
    }
    onChange()
  }
  return {
    async create(declared) {
      const { id = '' } = computeOutputs(declared, { seed: secretSeed, region: '' }) ?? {}
      await put({ ...declared, id })
      return { id, outputs: {} }
    },
    read(declared) {
      const live = findType(declared).find(cloudflare, declared)
      if (live === undefined) return undefined
      // Fields that only the account has are removed, because a refresh would report them as drift.
      const inputs = Object.entries({ ...declared.inputs, ...live }) as [string, never][]
      const declaredOnly = inputs.filter(([key]) => key in declared.inputs)
      return { inputs: Object.fromEntries(declaredOnly) as Properties, outputs: {} }
    },
    async update(declared) {
      await put(declared)
      return {}
    },
    async delete(declared) {
      findType(declared).remove(cloudflare, declared)
      onChange()
    },
    invoke: () => undefined,
  }
}
