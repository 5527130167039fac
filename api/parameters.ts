import * as z from 'zod/mini'
import { ApiError, type ParameterError } from './problem.ts'

/**
 * Parses the query of a URL by a schema. A parameter must not be repeated.
 * @throws ApiError validation_error that names every invalid parameter
 */
export function parseQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  url: string,
): z.infer<Schema> {
  const query = readQuery(url)
  const names = [...query.keys()]
  const repeated = names.filter((name, i) => names.indexOf(name) !== i)
  if (repeated.length > 0)
    throw toValidationError(repeated.map((name) => [name, 'must be given once']))
  // `URLSearchParams` replaces bytes that are not UTF-8 by U+FFFD.
  const unreadable = [...query].filter(
    ([, value]) => value.includes('\0') || value.includes('\ufffd'),
  )
  if (unreadable.length > 0)
    throw toValidationError(unreadable.map(([name]) => [name, 'must be text in UTF-8 without NUL']))
  const parsed = z.safeParse(schema, Object.fromEntries(query))
  if (parsed.success) return parsed.data
  throw toValidationError(parsed.error.issues.flatMap(toMessages))
}

function readQuery(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start))
}

function toMessages(issue: z.core.$ZodIssue): [string, string][] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => [key, 'is not a parameter of this endpoint'])
  return [[issue.path.join('.'), issue.message]]
}

function toValidationError(messages: [name: string, message: string][]): ApiError {
  const errors = messages.map(([name, message]): ParameterError => ({ in: 'query', name, message }))
  return new ApiError('validation_error', { errors })
}
