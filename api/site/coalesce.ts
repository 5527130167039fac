/**
 * Creates a function that shares one call of `send` per key among all callers that arrive before that call starts. A
 * call that has started is not shared, because its result may be older than a commit that the caller has seen. For each
 * key, at most one call is in flight and one is waiting.
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
