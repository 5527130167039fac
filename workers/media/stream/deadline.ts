export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Returns the result of `work`. @throws DeadlineError after `ms` milliseconds, or the error of `work` */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlineError(`no response within ${ms} ms`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
