import { type Stack, stacks } from '../../infra/environments.ts'

/** @throws Error that lists the stacks */
export function parseStack(name: string | undefined): Stack {
  const stack = stacks.find((known) => known === name)
  if (stack) return stack
  throw new Error(`${name ? `There is no stack "${name}"` : 'Name a stack'}: ${stacks.join(', ')}.`)
}
