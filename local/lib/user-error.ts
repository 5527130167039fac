/** An error that the user can correct. It is printed without a stack trace; the exit code is 1. */
export class UserError extends Error {
  override name = 'UserError'
}

/** Returns the message of a thrown value. */
export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
