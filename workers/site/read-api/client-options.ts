import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { ContentApi } from '../rendering/content-api.ts'
import type { ApiResult, Client, ClientOptions } from './client.ts'

const DEADLINE_MS = 5000

/** How this worker asks the read API, the only address that it ever fetches. */
export function toClientOptions(config: Config, ports: Ports, scope: Scope): ClientOptions {
  return {
    baseUrl: config.apiBaseUrl,
    apiKey: config.apiKey,
    deadlineMs: DEADLINE_MS,
    fetch: (url, init) => scope.measure('api', ports.fetch(url, init)),
  }
}

/** The client bound to one site, as the engine asks it. */
export function toContentApi(client: Client, site: string): ContentApi {
  return {
    article: async (slug, parameters) => {
      const answer = await client.article(site, slug, parameters)
      return answer.type === 'other-languages' ? answer : toContent(answer)
    },
    author: async (slug) => toContent(await client.author(site, slug)),
    list: async (query) => toContent(await client.list(site, query)),
    sitemap: async (parameters) => toContent(await client.sitemap(site, parameters)),
  }
}

function toContent<T>(result: ApiResult<T>): { type: 'ok'; value: T } | { type: 'not-found' } {
  return result.type === 'ok' ? { type: 'ok', value: result.value } : { type: 'not-found' }
}
