import type { RenderContext } from '../render-context.ts'
import { labelFor, NOINDEX_FOLLOW, type Page, toPage } from './page-model.ts'

/** One for the whole site, in its default language: a host keeps a single body for all that it does not have. */
export function toNotFoundPage(context: RenderContext): Page {
  const language = context.settings.site.default_language
  return toPage({ type: 'home', language }, context, {
    pageType: 'not_found',
    status: 404,
    template: 'not_found',
    view: {},
    title: labelFor('not_found', language, context),
    robots: NOINDEX_FOLLOW,
  })
}
