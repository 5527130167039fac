import type { RenderContext } from '../render-context.ts'
import { languagesOf, type Page, type RouteOf, toPage, toTranslations } from './page-model.ts'

export function toHomePage(route: RouteOf<'home'>, context: RenderContext): Page {
  return toPage(route, context, {
    pageType: 'home',
    template: 'home',
    view: {},
    title: null,
    alternates: toTranslations(route, languagesOf(context), context),
  })
}
