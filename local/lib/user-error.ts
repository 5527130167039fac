/** What the user can mend: shown as its one sentence, without a stack, and exit code 1. */
export class UserError extends Error {
  override name = 'UserError'
}

/** The sentence of anything thrown. */
export function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
