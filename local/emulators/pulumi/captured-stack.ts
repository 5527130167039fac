import type { ResourceOptions } from './resource-options.ts'
import type { Properties } from './values.ts'

/** A resource as a program declared it. */
export interface Resource {
  urn: string
  /** Pulumi's type token, such as `cloudflare:index/workersScript:WorkersScript`. */
  type: string
  /** The logical name. */
  name: string
  /** Empty for a component, and for everything in a preview. */
  id: string
  parent: string
  custom: boolean
  /** With secrets in plain text; `secretPaths` has their paths. */
  inputs: Properties
  /** Paths of secrets in `inputs`, such as `bindings[2].text`. */
  secretPaths: string[]
  /** Properties that a provider would compute. */
  outputs: Properties
  options: ResourceOptions
}

export interface StackOutputs {
  values: Properties
  /** Names of those that are secret. */
  secrets: string[]
}

export interface CapturedStack {
  stack: string
  /** Sorted by URN. */
  resources: Resource[]
  outputs: StackOutputs
  /** Log messages of the program above debug level, and its output. */
  said: string[]
}
