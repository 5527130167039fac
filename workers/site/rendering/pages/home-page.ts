import type { RenderContext } from '../render-context.ts'
import { languageCodesOf, type Page, type RouteOf, toPage, toTranslations } from './page-model.ts'

export function toHomePage(route: RouteOf<'home'>, context: RenderContext): Page {
  return toPage(route, context, {
    pageType: 'home',
    template: 'home',
    view: {},
    title: null,
    alternates: toTranslations(route, languageCodesOf(context), context),
  })
}
