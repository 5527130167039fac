/** Something took longer than it may. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Message of anything thrown. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The result of `work`, if it arrives within `ms` milliseconds.
 * @throws DeadlineError, or what `work` threw
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`no response within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
