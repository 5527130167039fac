import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { ContentApi, ContentResult } from '../rendering/content-api.ts'
import { createBreaker } from './breaker.ts'
import { type ApiResult, type Client, type ClientOptions, createClient } from './client.ts'

const DEADLINE_MS = 5000

type Overrides = Partial<
  Pick<ClientOptions, 'deadlineMs' | 'previewSecret' | 'observe' | 'breaker'>
>

/** Creates a client of the read API for one request. */
export type OpenClient = (scope: Scope, overrides?: Overrides) => Client

/** Returns a function that creates the clients of one isolate, which share a breaker. */
export function createOpenClient(config: Config, ports: Ports): OpenClient {
  const breaker = createBreaker(ports.now)

  return (scope, overrides) =>
    createClient({
      baseUrl: config.apiBaseUrl,
      apiKey: config.apiKey,
      deadlineMs: DEADLINE_MS,
      breaker,
      fetch: (url, init) => scope.measure('api', ports.fetch(url, init)),
      ...overrides,
    })
}

/** Binds the client to one site, for rendering. */
export function toContentApi(client: Client, site: string): ContentApi {
  return {
    article: async (slug, parameters) => {
      const result = await client.article(site, slug, parameters)
      switch (result.type) {
        case 'other-languages':
          return result
        case 'not-found':
          return { type: 'not-found', redirect: result.redirect }
        default:
          return toContent(result)
      }
    },
    author: async (slug) => toContent(await client.author(site, slug)),
    list: async (query) => toContent(await client.list(site, query)),
    sitemap: async (parameters) => toContent(await client.sitemap(site, parameters)),
  }
}

function toContent<T>(result: ApiResult<T>): ContentResult<T> {
  return result.type === 'ok' ? { type: 'ok', value: result.value } : { type: 'not-found' }
}
