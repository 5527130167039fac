/** Settles like the work, or rejects after the deadline, while the work continues. */
export async function within<T>(
  milliseconds: number,
  work: Promise<T>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<T> {
  const late = sleep(milliseconds).then(() => {
    throw new Error(`no response within ${milliseconds} ms`)
  })
  return Promise.race([work, late])
}
