import { HTTPException } from 'hono/http-exception'
import { PROBLEMS, type Problem, type ProblemCode } from '../contract/problem.ts'
import type { Redirect } from '../contract/redirect.ts'
import { toProblemResponse } from '../http/problem.ts'

export type ParameterError = NonNullable<Problem['errors']>[number]

/** An error response of the API. `detail` and `errors` are sent to callers, so they must not reveal internals. */
export class ApiError extends HTTPException {
  override readonly name = 'ApiError'
  readonly code: ProblemCode
  readonly detail: string | undefined
  readonly errors: ParameterError[] | undefined
  readonly redirect: Redirect | undefined
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, details: ErrorDetails = {}) {
    super(PROBLEMS[code].status, {
      message: details.detail ?? PROBLEMS[code].title,
      cause: details.cause,
    })
    this.code = code
    this.detail = details.detail
    this.errors = details.errors
    this.redirect = details.redirect
    this.headers = details.headers ?? {}
  }
}

interface ErrorDetails {
  detail?: string
  errors?: ParameterError[]
  redirect?: Redirect | undefined
  headers?: Record<string, string>
  cause?: unknown
}

/** Creates a 404. A `redirect` becomes a member of its body. */
export const notFound = (
  detail: string,
  redirect?: Redirect,
  headers?: Record<string, string>,
): ApiError => new ApiError('resource_not_found', { detail, redirect, ...(headers && { headers }) })

/** Creates a 503 with `Retry-After`. The cause is logged, and is not in the response. */
export const unavailable = ({ cause }: { cause: unknown }): ApiError =>
  new ApiError('service_unavailable', { cause, headers: { 'retry-after': '5' } })

/** Creates a 400 for one invalid parameter. */
export const invalid = (location: ParameterError['in'], name: string, message: string): ApiError =>
  new ApiError('validation_error', { errors: [{ in: location, name, message }] })

/** Creates the problem response (RFC 9457) of any error. */
export function toErrorResponse(error: unknown, requestId: string): Response {
  const { code, detail, errors, redirect, headers } = toApiError(error)
  const { status, title } = PROBLEMS[code]
  const body: Problem = {
    type: 'about:blank',
    title,
    status,
    ...(detail && { detail }),
    code,
    request_id: requestId,
    ...(redirect && { redirect }),
    ...(errors && { errors }),
  }
  return toProblemResponse(body, { ...headers, 'x-request-id': requestId })
}

/** Returns an ApiError unchanged. An unavailable database becomes a 503, any other error a 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error })
  return unavailable({ cause: error })
}

// SQLSTATE: classes 08 (connection) and 53 (resources), cancelled statement, shutdown, read-only transaction.
const UNAVAILABLE_STATE = /^(08...|53...|57014|57P0[1-5]|25006)$/
// Error codes of Node.
const UNAVAILABLE_CODE = /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/
// Errors of pg without a code.
const UNAVAILABLE_MESSAGE =
  /connection (terminated|ended|timeout|error)|timeout exceeded|read timeout|not queryable|after calling end/i

/** Whether an error, or one of its causes, means that the database cannot be reached or cannot respond. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (UNAVAILABLE_STATE.test(code) || UNAVAILABLE_CODE.test(code)) return true
  if (UNAVAILABLE_MESSAGE.test(error.message)) return true
  return isUnavailable(error.cause)
}
