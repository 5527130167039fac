import { toProblem } from './problem.ts'

const MAX_BYTES = 64 * 1024

/** Reads a JSON body as text. Returns a problem response for another media type, and above 64 KiB. */
export async function readJsonText(request: Request): Promise<string | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return toProblem('unsupported_media_type', 'Send content-type: application/json.')
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) return toProblem('content_too_large', 'Send at most 64 KiB.')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
