import * as z from 'zod/mini'
import type { CachedEndpoint } from '../../contract/policy.ts'

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description: string
  schema: Record<string, unknown>
}

/** Descriptions of parameters that have the same meaning in every endpoint. */
const SHARED_DESCRIPTIONS: Readonly<Record<string, string>> = {
  site: 'Id, acronym or domain of an active site. Digits are tried as an id first.',
  slug: 'Last segment of the path.',
  limit: 'Items per page.',
  cursor: '`next_cursor` of the previous page. Valid only with the same parameters.',
}

const ENDPOINT_DESCRIPTIONS: Readonly<
  Partial<Record<CachedEndpoint, Readonly<Record<string, string>>>>
> = {
  page: {
    language: 'BCP 47 tag. The response is a 204 if the slug exists only in other languages.',
    version: 'Number of a snapshot in the content history. Requires `X-CMS-Preview`.',
    related_limit: 'Number of related articles.',
  },
  settings: { language: 'Omits navigation, categories, tags and templates of other languages.' },
  list: {
    kind: 'Kind of list. `category`, `author`, `related` and `search` each require another parameter.',
    category: 'Slug of a category. Required when `kind=category`.',
    author_slug: 'Slug of an active author. Required when `kind=author`.',
    related_to: 'Slug of an article. Required when `kind=related`.',
    q: 'Text to find in title and description, case-insensitive. Required when `kind=search`.',
    language: 'Only articles in this language.',
    month: 'Only articles published in this month, `YYYY-MM` in UTC.',
  },
  sitemap: {
    since:
      'Only articles published at or after this date: RFC 9110 date, ISO 8601 date or instant.',
  },
  changes: {
    after:
      '`revision` of the previous response. Without it the response has only the newest revision.',
    restore_id: '`restore_id` of the previous response. If it has changed, `reset` is true.',
    limit: 'Rows of the change log per response. A revision is never split, so there may be more.',
  },
}

export const PREVIEW_HEADER: Parameter = {
  in: 'header',
  name: 'X-CMS-Preview',
  description: 'Shared secret. Required with `version`; also shows unpublished articles.',
  schema: { type: 'string' },
}

export const PRECONDITION_HEADERS: readonly Parameter[] = [
  {
    in: 'header',
    name: 'If-None-Match',
    description: 'ETags of responses that the caller has; takes precedence over If-Modified-Since.',
    schema: { type: 'string' },
  },
  {
    in: 'header',
    name: 'If-Modified-Since',
    description: 'Last-Modified of the response that the caller has.',
    schema: { type: 'string' },
  },
]

/** @throws Error for a parameter without a description */
function describe(name: string, endpoint?: CachedEndpoint): string {
  const description =
    (endpoint && ENDPOINT_DESCRIPTIONS[endpoint]?.[name]) ?? SHARED_DESCRIPTIONS[name]
  if (description === undefined)
    throw new Error(
      `The parameter "${name}" of ${endpoint ?? 'a path'} has no description. Add one to api/openapi/parameters.ts.`,
    )
  return description
}

export const toPathParameter = (name: string): Parameter => ({
  in: 'path',
  name,
  required: true,
  description: describe(name),
  schema: { type: 'string' },
})

export function toQueryParameters(endpoint: CachedEndpoint, schema: z.ZodMiniType): Parameter[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  // A parameter with a default is required in the output and optional in the input.
  const { required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    description: describe(name, endpoint),
    schema: property as Record<string, unknown>,
  }))
}
