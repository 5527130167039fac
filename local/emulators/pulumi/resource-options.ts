import type aliasPb from '@pulumi/pulumi/proto/alias_pb.js'
import type resourcePb from '@pulumi/pulumi/proto/resource_pb.js'

/** Options of a declared resource; absent where the program sets none. */
export interface ResourceOptions {
  protect?: boolean
  retainOnDelete?: boolean
  deleteBeforeReplace?: boolean
  deletedWith?: string
  importId?: string
  provider?: string
  version?: string
  dependsOn?: string[]
  ignoreChanges?: string[]
  replaceOnChanges?: string[]
  additionalSecretOutputs?: string[]
  /** Aliases of the resource in the state: URNs, or the parts that differ. */
  aliases?: string[]
  createTimeout?: string
  updateTimeout?: string
  deleteTimeout?: string
}

export function toOptions(request: resourcePb.RegisterResourceRequest): ResourceOptions {
  const timeouts = request.getCustomtimeouts()
  const options = {
    protect: request.getProtect() ?? false,
    retainOnDelete: request.getRetainondelete() ?? false,
    deleteBeforeReplace: request.getDeletebeforereplace(),
    deletedWith: request.getDeletedwith(),
    importId: request.getImportid(),
    provider: request.getProvider(),
    version: request.getVersion(),
    dependsOn: request.getDependenciesList(),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    aliases: request.getAliasesList().map(toAlias),
    createTimeout: timeouts?.getCreate(),
    updateTimeout: timeouts?.getUpdate(),
    deleteTimeout: timeouts?.getDelete(),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isSet(value)))
}

function toAlias(alias: aliasPb.Alias): string {
  const spec = alias.getSpec()
  return alias.getUrn() || [spec?.getType(), spec?.getName()].filter(Boolean).join('::')
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
