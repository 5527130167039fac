import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ContentApi } from './content-api.ts'
import type { SearchQuery } from './search-query.ts'
import type { TemplateFailure } from './templates/template-renderer.ts'

/** Data of a rendering. `canonicalOrigin` is that of the site's domain; on any other host nothing is indexable. */
export type RenderContext = {
  settings: SettingsBundle
  canonicalOrigin: string
  indexable: boolean
  api: ContentApi
  css: { slug: string; version: string }
  now: Date
  preview?: { version?: number }
  query?: SearchQuery
  warn: (message: string, fields: Record<string, unknown>) => void
  onTemplateFailure?: (failure: TemplateFailure) => void
}

/** A response body that is not rendered from a template. */
export type File = { contentType: string; body: string }
