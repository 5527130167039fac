import { type Stack, stacks } from '../../infra/environments.ts'
import { UsageError } from './command-line.ts'

/** @throws UsageError that lists the stacks */
export function parseStack(name: string | undefined): Stack {
  const stack = stacks.find((known) => known === name)
  if (stack) return stack
  throw new UsageError(`There is no stack "${name}", only ${stacks.join(', ')}`)
}
