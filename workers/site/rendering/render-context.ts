import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ContentApi } from './content-api.ts'
import type { SearchQuery } from './search-query.ts'
import type { TemplateFailure } from './templates/template-renderer.ts'

/** Data that a page is rendered from. */
export type RenderContext = {
  settings: SettingsBundle
  /** Origin of the site's domain. */
  canonicalOrigin: string
  /** False on a host that is not the site's domain. */
  indexable: boolean
  api: ContentApi
  css: { slug: string; version: string }
  now: Date
  preview?: { version?: number }
  /** An earlier page can be served instead, which is better than a plain page without its template. */
  hasPrevious?: boolean
  query?: SearchQuery
  warn: (message: string, fields: Record<string, unknown>) => void
  onTemplateFailure?: (failure: TemplateFailure) => void
}

/** A response body that is not rendered from a template. */
export type RenderedFile = { contentType: string; body: string }
