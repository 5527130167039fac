/** An error that the user can correct: shown as one sentence without a stack, exit code 1. */
export class UserError extends Error {
  override name = 'UserError'
}

/** The sentence of anything thrown. */
export function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
