import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError, toErrorResponse } from '../problem.ts'

/** What a Function URL hands over, payload format 2.0, as far as it is read here. */
export interface FunctionUrlEvent {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string | undefined>
  requestContext: { domainName: string; requestId: string; http: { method: string } }
}

type StreamHandler = (event: FunctionUrlEvent, stream: Writable) => Promise<void>

declare global {
  /** Provided by Lambda's Node runtime (Lambda developer guide, «Response streaming»). */
  const awslambda: {
    streamifyResponse(handler: StreamHandler): unknown
    HttpResponseStream: {
      from(
        stream: Writable,
        head: { statusCode: number; headers: Record<string, string> },
      ): Writable
    }
  }
}

/** Answers a Function URL of invoke mode RESPONSE_STREAM by a fetch handler: no answer is held back to be measured. */
export function createStreamHandler(
  fetch: (request: Request) => Response | Promise<Response>,
): StreamHandler {
  return async (event, stream) => {
    const request = toRequest(event)
    const response = request ? await fetch(request) : refuse(event)
    const head = { statusCode: response.status, headers: Object.fromEntries(response.headers) }
    const out = awslambda.HttpResponseStream.from(stream, head)
    if (response.body) return pipeline(Readable.fromWeb(response.body), out)
    // The head goes out with the first write.
    out.write('')
    out.end()
  }
}

// A body is never read: whoever sends one gets the answer that the method and the path deserve.
function toRequest(event: FunctionUrlEvent): Request | undefined {
  const { rawPath, rawQueryString, requestContext } = event
  const { domainName, requestId, http } = requestContext
  const given = Object.entries(event.headers).filter(
    (entry): entry is [string, string] => !!entry[1],
  )
  try {
    const headers = new Headers(given)
    if (!headers.has('x-request-id')) headers.set('x-request-id', requestId)
    const query = rawQueryString ? `?${rawQueryString}` : ''
    return new Request(`https://${domainName}${rawPath}${query}`, { method: http.method, headers })
  } catch {
    return undefined
  }
}

const refuse = ({ requestContext }: FunctionUrlEvent): Response =>
  toErrorResponse(
    new ApiError('validation_error', { detail: 'The request cannot be read.' }),
    requestContext.requestId,
  )
