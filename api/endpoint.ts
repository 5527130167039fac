import * as z from 'zod/mini'
import type { LinkedAlternate } from '../contract/link.ts'
import type { CachedEndpoint } from '../contract/policy.ts'
import type { ReportOmission } from './omissions/source-row.ts'
import type { SiteState } from './site/resolve.ts'

/** Result of an endpoint: a value to validate, pieces of valid JSON, or the paths of a slug in other languages. */
export type EndpointResult<Value> =
  | { type: 'value'; value: Value }
  | { type: 'pieces'; pieces: AsyncIterable<string> }
  | { type: 'otherLanguages'; alternates: LinkedAlternate[] }

export interface ReadRequest<Parameters> {
  site: SiteState
  /** Last parameter of the path; empty for endpoints without one. */
  slug: string
  parameters: Parameters
  /** Whether the caller sent the preview secret. */
  isPreview: boolean
  /** Called with each value that is omitted from the response or replaced. */
  report: ReportOmission
}

/** One of the endpoints below `/sites/{site}`. */
export interface Endpoint<
  Parameters extends z.ZodMiniType = z.ZodMiniType,
  Value extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Key of the endpoint in `CACHE_POLICY`, also its name in cache keys and in the OpenAPI document. */
  policy: CachedEndpoint
  /** Hono pattern, with `:slug` for the last parameter. */
  path: string
  summary: string
  parameters: Parameters
  response: Value
  /** Defined when the endpoint accepts the preview secret; true for parameters that require it. */
  requiresPreviewSecret?(parameters: z.infer<Parameters>): boolean
  read(request: ReadRequest<z.infer<Parameters>>): Promise<EndpointResult<z.infer<Value>>>
}

/** Compiles the schemas of an endpoint. Its types require that `read` fits the schemas. */
export function defineEndpoint<Parameters extends z.ZodMiniType, Value extends z.ZodMiniType>(
  endpoint: Endpoint<Parameters, Value>,
): Endpoint<Parameters, Value> {
  const { parameters, response } = endpoint
  return { ...endpoint, parameters: z.compile(parameters), response: z.compile(response) }
}
