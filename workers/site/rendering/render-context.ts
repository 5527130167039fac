import type { SettingsBundle } from '../../../contract/settings.ts'
import type { ContentApi } from './content-api.ts'
import type { SearchQuery } from './search-query.ts'
import type { TemplateFailure } from './templates/template-renderer.ts'

/** Data that a page is rendered from. */
export type RenderContext = {
  settings: SettingsBundle
  /** Origin of the site's domain, which is the base of absolute URLs. */
  canonicalOrigin: string
  /** False on a host that is not the site's domain. */
  indexable: boolean
  api: ContentApi
  /** Theme and version of the stylesheet. */
  css: { slug: string; version: string }
  now: Date
  /** If present, unpublished content is rendered; without a version, the newest. */
  preview?: { version?: number }
  /** An earlier page exists: it is served when all sources of a template fail, instead of a plain page. */
  hasPrevious?: boolean
  query?: SearchQuery
  warn: (message: string, fields: Record<string, unknown>) => void
  onTemplateFailure?: (failure: TemplateFailure) => void
}

/** A response body that is not rendered from a template. */
export type RenderedFile = { contentType: string; body: string }
