import * as z from 'zod/mini'
import { Ping } from '../../contract/ping.ts'
import { CACHE_POLICY } from '../../contract/policy.ts'
import { PROBLEMS, Problem, type ProblemCode } from '../../contract/problem.ts'
import { SiteIdentity } from '../../contract/site.ts'
import type { Endpoint } from '../endpoint.ts'

type Json = Record<string, unknown>

interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description?: string
  schema: Json
}
export interface Operation {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: Parameter[]
  responses: Record<string, { description: string; headers?: Json; content?: Json }>
}
export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string }
  security: Json[]
  paths: Record<string, { get: Operation }>
  components: Json
}

const HEADERS = {
  ETag: 'Weak tag of the identity body.',
  'Last-Modified': 'When anything on the site last changed or appeared.',
  'Cache-Control': 'How long shared caches may keep the answer.',
  'CMS-Next-Change': 'The next instant at which something appears by itself.',
  Vary: 'Accept-Encoding, Authorization',
}
const REFUSALS: ProblemCode[] = ['validation_error', 'unauthorized', 'resource_not_found']
const FAILURES: ProblemCode[] = ['internal_error', 'service_unavailable']

/** The API as OpenAPI 3.1, made of the very schemas that it answers by. */
export function toOpenApi(endpoints: readonly Endpoint[], v1Enabled: boolean): OpenApi {
  const paths = endpoints.map((endpoint) => [
    toTemplate(`/public/v2/sites/:site${endpoint.path}`),
    { get: toOperation(endpoint) },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Public read API', version: '2' },
    security: [{ key: [] }],
    paths: {
      '/public/v2/ping': { get: toPlainOperation('ping', 'Liveness', Ping) },
      ...Object.fromEntries(paths),
      ...(v1Enabled && { '/public/v1/sites/{site}': { get: toV1() } }),
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: toSchema(Problem) },
    },
  }
}

function toOperation(endpoint: Endpoint): Operation {
  const { policy, path, parameters, answer, summary, isGated } = endpoint
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const { sMaxage, staleWhileRevalidate } = CACHE_POLICY[policy]
  return {
    operationId: policy,
    summary,
    description: `Shared caches: ${sMaxage} s fresh, ${staleWhileRevalidate} s stale while revalidating.`,
    parameters: [
      ...['site', ...names].map(toPathParameter),
      ...toQueryParameters(parameters),
      ...(isGated ? [PREVIEW] : []),
      ...['If-None-Match', 'If-Modified-Since'].map(toHeaderParameter),
    ],
    responses: {
      200: { description: 'OK', headers: toHeaders(), content: toContent(toSchema(answer)) },
      ...(isGated && { 204: { description: 'Published in other languages only; see `Link`.' } }),
      304: { description: 'Not modified', headers: toHeaders() },
      ...toProblems([...REFUSALS, ...(isGated ? (['forbidden'] as const) : []), ...FAILURES]),
    },
  }
}

function toPlainOperation(operationId: string, summary: string, schema: z.ZodMiniType): Operation {
  const ok = { description: 'OK', content: toContent(toSchema(schema)) }
  return { operationId, summary, responses: { 200: ok, ...toProblems(['unauthorized']) } }
}

const toV1 = (): Operation => ({
  ...toPlainOperation('site_v1', 'Who the site is', SiteIdentity),
  deprecated: true,
  parameters: [toPathParameter('site')],
})

function toPathParameter(name: string): Parameter {
  return { in: 'path', name, required: true, schema: { type: 'string' } }
}

const PREVIEW: Parameter = {
  in: 'header',
  name: 'X-CMS-Preview',
  description: 'Shared secret: required with `version`, and lets unpublished articles be seen.',
  schema: { type: 'string' },
}

function toHeaderParameter(name: string): Parameter {
  return { in: 'header', name, schema: { type: 'string' } }
}

function toQueryParameters(parameters: z.ZodMiniType): Parameter[] {
  const { properties = {} } = toSchema(parameters)
  // What has a default is always there once it is parsed, and need not be sent.
  const { required = [] } = toSchema(parameters, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema: schema as Json,
  }))
}

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
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const toContent = (schema: Json): Json => ({ 'application/json': { schema } })

const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

function toSchema(schema: z.ZodMiniType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
