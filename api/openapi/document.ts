import { CACHE_POLICY } from '../../contract/policy.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import { refTo, responseRef, toModels } from './models.ts'
import {
  type Parameter,
  PRECONDITION_HEADERS,
  PREVIEW_HEADER,
  toPathParameter,
  toQueryParameters,
} from './parameters.ts'

type Json = Record<string, unknown>

interface Operation {
  operationId: string
  tags: [string]
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: Parameter[]
  responses: Record<string, { description: string; headers?: Json; content?: Json }>
}

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string; description: string }[]
  security: Json[]
  paths: Record<string, { get: Operation }>
  components: { securitySchemes: Json; schemas: Record<string, Json> }
}

const HEADERS = {
  ETag: 'Weak tag over the uncompressed body.',
  'Last-Modified': 'Time of the last change or publication on the site.',
  'Cache-Control': 'Seconds for which shared caches may serve the response: fresh, then stale.',
  'CMS-Next-Change': 'The next instant at which a scheduled article becomes visible.',
  Vary: 'Accept-Encoding, Authorization; on pages also X-CMS-Preview.',
}

const ENDPOINT_ERRORS: ProblemCode[] = [
  'validation_error',
  'unauthorized',
  'resource_not_found',
  'not_acceptable',
]
const COMMON_ERRORS: ProblemCode[] = [
  'method_not_allowed',
  'headers_too_long',
  'internal_error',
  'service_unavailable',
]

/** Creates the OpenAPI 3.1 document from the schemas that validate the responses. */
export function toOpenApi(endpoints: readonly Endpoint[], v1Enabled: boolean): OpenApi {
  const paths = endpoints.map((endpoint) => [
    `/public/v2/sites/{site}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`,
    { get: toOperation(endpoint) },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public read API',
      version: '2',
      description:
        'Content of the sites, for the site worker. Errors are problem details (RFC 9457).',
    },
    servers: [{ url: '/', description: 'The API that serves this document' }],
    security: [{ key: [] }],
    paths: {
      '/public/v2/ping': { get: toPingOperation() },
      ...Object.fromEntries(paths),
      ...(v1Enabled && { '/public/v1/sites/{site}': { get: toV1Operation() } }),
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: toModels(),
    },
  }
}

function toOperation({
  policy,
  path,
  parameters,
  summary,
  requiresPreviewSecret,
}: Endpoint): Operation {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const { sMaxage, staleWhileRevalidate } = CACHE_POLICY[policy]
  return {
    operationId: policy,
    tags: ['v2'],
    summary,
    description: `Shared caches: ${sMaxage} s fresh, then ${staleWhileRevalidate} s stale while revalidating.`,
    parameters: [
      ...['site', ...names].map(toPathParameter),
      ...toQueryParameters(policy, parameters),
      ...(requiresPreviewSecret ? [PREVIEW_HEADER] : []),
      ...PRECONDITION_HEADERS,
    ],
    responses: {
      200: { description: 'OK', headers: toHeaders(), content: toContent(responseRef(policy)) },
      // Only pages accept the preview secret, and only they have a 204.
      ...(requiresPreviewSecret && {
        204: { description: 'Published in other languages only; see `Link`.' },
      }),
      304: { description: 'Not modified', headers: toHeaders() },
      ...toProblems([
        ...ENDPOINT_ERRORS,
        ...(requiresPreviewSecret ? (['forbidden'] as const) : []),
        ...COMMON_ERRORS,
      ]),
    },
  }
}

const toPingOperation = (): Operation => ({
  operationId: 'ping',
  tags: ['v2'],
  summary: 'Liveness',
  responses: {
    200: { description: 'OK', content: toContent(refTo('Ping')) },
    ...toProblems(['unauthorized', ...COMMON_ERRORS]),
  },
})

const toV1Operation = (): Operation => ({
  operationId: 'site_v1',
  tags: ['v1'],
  summary: 'Identity of a site',
  deprecated: true,
  parameters: [toPathParameter('site')],
  responses: {
    200: { description: 'OK', content: toContent(refTo('SiteIdentity')) },
    ...toProblems(['unauthorized', 'resource_not_found', ...COMMON_ERRORS]),
  },
})

const toHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

const toProblems = (codes: readonly ProblemCode[]): Operation['responses'] =>
  Object.fromEntries(codes.map((code) => [PROBLEMS[code].status, toProblem(code)]))

const toProblem = (code: ProblemCode) => ({
  description: `${code}: ${PROBLEMS[code].title}`,
  content: { 'application/problem+json': { schema: refTo('Problem') } },
})

const toContent = (schema: Json): Json => ({ 'application/json': { schema } })
