import type { ResourceOptions } from './resource-options.ts'
import type { Properties } from './values.ts'

/** A resource that a program declared. */
export interface Resource {
  urn: string
  /** Pulumi's type token, such as `cloudflare:index/workersScript:WorkersScript`. */
  type: string
  /** The logical name. */
  name: string
  /** Empty for a component, and in a preview. */
  id: string
  /** URN of the parent; empty when there is none. */
  parent: string
  /** False for a component. */
  custom: boolean
  /** Inputs, with secrets in plain text. */
  inputs: Properties
  /** Paths of secrets in `inputs`, such as `bindings[2].text`. */
  secretPaths: string[]
  /** Properties that a provider would compute. */
  outputs: Properties
  options: ResourceOptions
}

export interface StackOutputs {
  values: Properties
  /** Names of the secret outputs. */
  secrets: string[]
}

export interface CapturedStack {
  stack: string
  /** Sorted by URN. */
  resources: Resource[]
  outputs: StackOutputs
  /** Log messages of the program above debug level. */
  messages: string[]
}
