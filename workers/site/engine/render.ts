import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ContentApi } from './content.ts'
import type { PageType } from './page-types.ts'
import type { Route } from './route.ts'
import type { SearchQuery } from './search-query.ts'

/** What a page is made of. `origin` is the host's as the reader sees it, `canonicalOrigin` the site's domain. */
export interface RenderContext {
  settings: SettingsBundle
  origin: string
  canonicalOrigin: string
  indexable: boolean
  api: ContentApi
  css: { slug: string; version: string }
  now: Date
  preview?: { version?: number }
  query?: SearchQuery
  warn(message: string, fields: Record<string, unknown>): void
}

export type Rendered =
  | {
      type: 'page'
      pageType: PageType
      status: 200 | 404
      contentType: string
      body: string
      headers?: Record<string, string>
    }
  | { type: 'redirect'; status: 301 | 302; location: string }

/**
 * The page behind a route. Throws when the API fails, or when no source of a template that the page needs renders.
 */
export async function renderPage(route: Route, context: RenderContext): Promise<Rendered> {
  if (route.type === 'redirect') return { type: 'redirect', status: 301, location: route.location }
  throw new Error(`No template renders ${route.type} of ${context.settings.site.acronym}`)
}
