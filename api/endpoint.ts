import * as z from 'zod/mini'
import type { LinkedAlternate } from '../contract/link.ts'
import type { CachedEndpoint } from '../contract/policy.ts'
import type { Report } from './omissions/row-origin.ts'
import type { SiteState } from './site/resolve.ts'

/** Result of a read: a value to validate, pieces of validated JSON, or a skip to other languages. */
export type ReadResult<Value> =
  | { type: 'value'; value: Value }
  | { type: 'pieces'; pieces: AsyncIterable<string> }
  | { type: 'otherLanguages'; alternates: LinkedAlternate[] }

export interface ReadRequest<Parameters> {
  site: SiteState
  /** The path's last parameter; empty where an endpoint has none. */
  slug: string
  parameters: Parameters
  /** The caller sent the preview secret. */
  preview: boolean
  /** Receives what the answer leaves out. */
  report: Report
}

/** One of the endpoints below `/sites/{site}`. */
export interface Endpoint<
  Parameters extends z.ZodMiniType = z.ZodMiniType,
  Value extends z.ZodMiniType = z.ZodMiniType,
> {
  policy: CachedEndpoint
  /** As Hono writes it, with `:slug` for the path's own parameter. */
  path: string
  summary: string
  parameters: Parameters
  response: Value
  /** Takes the preview secret; true for parameters that need it. */
  requiresPreviewSecret?(parameters: z.infer<Parameters>): boolean
  read(request: ReadRequest<z.infer<Parameters>>): Promise<ReadResult<z.infer<Value>>>
}

/** Ties the schemas of an endpoint to its reader, and compiles them. */
export function defineEndpoint<Parameters extends z.ZodMiniType, Value extends z.ZodMiniType>(
  endpoint: Endpoint<Parameters, Value>,
): Endpoint<Parameters, Value> {
  const { parameters, response } = endpoint
  return { ...endpoint, parameters: z.compile(parameters), response: z.compile(response) }
}
