/** Returns the result of the work. Rejects when it takes longer, but does not cancel it. */
export async function within<T>(
  milliseconds: number,
  work: Promise<T>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<T> {
  const timeout = sleep(milliseconds).then(() => {
    throw new Error(`no response within ${milliseconds} ms`)
  })
  return Promise.race([work, timeout])
}
