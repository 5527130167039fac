import * as z from 'zod/mini'
import { Redirect } from './redirect.ts'

/** HTTP status and title of each error code of the read API. */
export const PROBLEMS = {
  validation_error: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'A valid API key is required' },
  forbidden: { status: 403, title: 'The request is not allowed' },
  resource_not_found: { status: 404, title: 'The resource does not exist' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'The response cannot be sent in an accepted coding' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_long: { status: 431, title: 'The headers are too long' },
  internal_error: { status: 500, title: 'The server failed' },
  service_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]

/** Body of every error response, `application/problem+json` (RFC 9457). */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  code: z.enum(codes),
  request_id: z.optional(z.string()),
  /** Only in a 404 of `/pages/{slug}`. */
  redirect: z.optional(Redirect),
  errors: z.optional(
    z.array(
      z.strictObject({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        message: z.string(),
      }),
    ),
  ),
})
export type Problem = z.infer<typeof Problem>
