import type { Body } from '../store/object.ts'
import { within } from './pipe-to-both.ts'

/** What a body begins with, what is left of it, and its bytes where nothing is left. */
export type Gathered = { begun: Uint8Array[]; body: Body; size: number | undefined }

/**
 * Reads a body of unknown size until it ends or passes `limit` bytes: of what ends in time all is
 * known, so that it can be promised, cached and cut, and one that breaks off is no answer at all.
 * @throws LateError after `ms`, or what the body threw
 */
export async function gather(body: Body, limit: number, ms: number): Promise<Gathered> {
  const reader = body?.getReader()
  const read = async (): Promise<Gathered> => {
    const begun: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    while (size <= limit) {
      const next = await reader?.read()
      if (!next?.value) return { begun: [], body: new Blob(begun).stream(), size }
      begun.push(next.value.slice())
      size += next.value.length
    }
    reader?.releaseLock()
    return { begun, body, size: undefined }
  }
  try {
    return await within(ms, read())
  } catch (error) {
    reader?.cancel(error).catch(() => undefined)
    throw error
  }
}
