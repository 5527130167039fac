/**
 * Lets callers share one call of `send` per key, but only a call that has not been sent when they come:
 * an answer that is under way may be older than what the caller already knows to be committed.
 * So there is at most one call in flight and one waiting per key.
 */
export function createCoalescer<T>(send: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const calls = new Map<string, { waiting: Promise<T> | undefined; inFlight: Promise<unknown> }>()

  return (key) => {
    const entry = calls.get(key)
    if (entry?.waiting) return entry.waiting
    if (!entry) return start(key)
    entry.waiting = entry.inFlight.then(() => start(key))
    return entry.waiting
  }

  function start(key: string): Promise<T> {
    const call = send(key)
    const entry = { waiting: undefined, inFlight: call.then(settle, settle) }
    calls.set(key, entry)
    return call

    function settle(): void {
      if (calls.get(key) === entry && !entry.waiting) calls.delete(key)
    }
  }
}
