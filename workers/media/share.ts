const CHUNK_BYTES = 65_536

type Output = { writer: WritableStreamDefaultWriter<Uint8Array>; isOpen: boolean }

/**
 * Reads a source once for a reader and for a copy, in lockstep: whatever the object's size and
 * whichever is slower, one chunk is held. A copy that fails leaves the reader alone. A reader that
 * leaves ends the copy and the source too, unless the copy `outlives` it.
 * @throws what the source threw, when it broke off; both outputs are broken off as well
 */
export async function share(
  source: ReadableStream<Uint8Array>,
  toReader: WritableStream<Uint8Array>,
  toCopy: WritableStream<Uint8Array>,
  outlives: boolean,
): Promise<void> {
  const reader: Output = { writer: toReader.getWriter(), isOpen: true }
  const copy: Output = { writer: toCopy.getWriter(), isOpen: true }
  const isWanted = () => reader.isOpen || (copy.isOpen && outlives)
  try {
    const bytes = source.getReader({ mode: 'byob' })
    let chunk = await bytes.read(new Uint8Array(CHUNK_BYTES))
    while (!chunk.done && isWanted()) {
      await Promise.all([write(reader, chunk.value), write(copy, chunk.value)])
      chunk = await bytes.read(new Uint8Array(chunk.value.buffer))
    }
    const end = isWanted() ? close : abort
    await Promise.all([end(reader), end(copy), bytes.cancel()])
  } catch (error) {
    await Promise.all([abort(reader), abort(copy)])
    throw error
  }
}

async function write(output: Output, chunk: Uint8Array): Promise<void> {
  if (output.isOpen) await settle(output, output.writer.write(chunk))
}

async function close(output: Output): Promise<void> {
  if (output.isOpen) await settle(output, output.writer.close())
}

async function abort(output: Output): Promise<void> {
  if (output.isOpen) await settle(output, output.writer.abort(new Error('the body broke off')))
}

async function settle(output: Output, operation: Promise<void>): Promise<void> {
  await operation.catch(() => {
    output.isOpen = false
  })
}
