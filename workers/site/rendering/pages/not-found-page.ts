import type { RenderContext } from '../render-context.ts'
import { labelFor, NOINDEX_FOLLOW, type Page, toPage } from './page-model.ts'

/** A not-found page, which is the same for all paths of a language. */
export interface NotFound {
  language: string
  /** 410 when the page is permanently gone. */
  status: 404 | 410
}

export function toNotFoundPage({ language, status }: NotFound, context: RenderContext): Page {
  const isGone = status === 410
  return toPage({ type: 'home', language }, context, {
    pageType: 'not_found',
    status,
    template: 'not_found',
    view: { text: labelFor(isGone ? 'gone_text' : 'not_found_text', language, context) },
    title: labelFor(isGone ? 'gone' : 'not_found', language, context),
    robots: NOINDEX_FOLLOW,
  })
}
