import type { Hono } from 'hono'
import { type APIGatewayProxyResult, handle, type LambdaEvent } from 'hono/aws-lambda'
import type { ApiEnv } from '../middleware/request-log.ts'

type Event = Extract<LambdaEvent, { rawPath: string }>

/** Creates the Lambda handler of a Function URL with invoke mode BUFFERED (payload format 2.0). */
export function createFunctionUrlHandler(
  app: Hono<ApiEnv>,
): (event: Event) => Promise<APIGatewayProxyResult> {
  const respond = handle(app)
  return (event) => respond(toRequestEvent(event))
}

// The request id is that of the invocation, unless the caller sent one. The body is removed, because no endpoint reads
// it and `Request` throws for a GET with a body.
function toRequestEvent({ body: _, ...event }: Event): Event {
  const headers = { 'x-request-id': event.requestContext.requestId, ...event.headers }
  return { ...event, headers, body: null }
}
