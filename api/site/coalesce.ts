/**
 * Lets callers share one call of `send` per key, but only a call that has not been sent when they come:
 * an answer that is under way may be older than what the caller already knows to be committed.
 * So there is at most one call in flight and one waiting per key.
 */
export function createCoalescer<T>(send: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const lanes = new Map<string, { waiting: Promise<T> | undefined; inFlight: Promise<unknown> }>()

  return (key) => {
    const lane = lanes.get(key)
    if (lane?.waiting) return lane.waiting
    if (!lane) return depart(key)
    lane.waiting = lane.inFlight.then(() => depart(key))
    return lane.waiting
  }

  function depart(key: string): Promise<T> {
    const call = send(key)
    const lane = { waiting: undefined, inFlight: call.then(settle, settle) }
    lanes.set(key, lane)
    return call

    function settle(): void {
      if (lanes.get(key) === lane && !lane.waiting) lanes.delete(key)
    }
  }
}
