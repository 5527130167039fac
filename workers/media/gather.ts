import type { Body } from './object.ts'
import { within } from './pour.ts'

/** A body from its beginning, and its bytes where it is no longer than was gathered. */
export type Gathered = { body: Body; size: number | undefined }

/**
 * Reads a body of unknown size until it ends or passes `limit` bytes: of what ends in time all is
 * known, so that it can be promised, cached and cut, and one that breaks off is no answer at all.
 * @throws LateError after `ms`, or what the body threw
 */
export async function gather(body: Body, limit: number, ms: number): Promise<Gathered> {
  const reader = body?.getReader()
  try {
    return await within(ms, read(reader, limit))
  } catch (error) {
    reader?.cancel(error).catch(() => undefined)
    throw error
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBufferLike>>

async function read(reader: Reader | undefined, limit: number): Promise<Gathered> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  while (size <= limit) {
    const next = await reader?.read()
    if (!next?.value) return { body: new Blob(chunks).stream(), size }
    chunks.push(next.value.slice())
    size += next.value.length
  }
  return { body: reader ? resume(chunks, reader) : null, size: undefined }
}

function resume(chunks: Uint8Array<ArrayBuffer>[], reader: Reader): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value
      if (chunk) return controller.enqueue(chunk.slice())
      controller.close()
      // Who reads into a buffer of its own waits for it to be given back.
      controller.byobRequest?.respond(0)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
