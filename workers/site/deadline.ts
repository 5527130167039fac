/** Settles as the work does, or rejects after the deadline; the work itself continues. */
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
