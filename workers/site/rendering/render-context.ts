import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ContentApi } from './content-api.ts'
import type { SearchQuery } from './search-query.ts'
import type { TemplateFailure } from './templates/template-renderer.ts'

/** What a page is made of. `canonicalOrigin` is that of the site's domain; on any other host nothing is indexable. */
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

/** A body that no template makes. */
export type File = { contentType: string; body: string }
