import { type Stack, stacks } from '../../infra/environments.ts'
import { UsageError } from './command-line.ts'

/**
 * Parses the name of a stack.
 * @throws UsageError that lists the stacks
 */
export function parseStack(name: string | undefined): Stack {
  const stack = stacks.find((each) => each === name)
  if (stack) return stack
  throw new UsageError(`Unknown stack "${name}". Choose one of ${stacks.join(', ')}`)
}
