import { toProblemResponse } from '../../../http/problem.ts'

const PROBLEMS = {
  validation_error: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'The admin secret is required' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  content_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not application/json' },
  rate_limited: { status: 429, title: 'Too many purges' },
  service_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export function toProblem(
  code: keyof typeof PROBLEMS,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  return toProblemResponse({ ...PROBLEMS[code], code, detail }, headers)
}
