import type { RenderContext } from '../render-context.ts'
import { hasPage } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import {
  breadcrumbsFor,
  languageCodesOf,
  type Page,
  type RouteOf,
  toPage,
  toTranslations,
} from './page-model.ts'

export function toStaticPage(route: RouteOf<'page'>, context: RenderContext): Page {
  const { key, language } = route
  const { templates } = context.settings.site_settings
  const title = toStaticTitle(key, language, context)
  const path = toRoutePath(route, context.settings.site.default_language)
  const languages = languageCodesOf(context).filter((code) => hasPage(templates, key, code))
  return toPage(route, context, {
    pageType: 'page',
    template: key,
    view: {},
    title,
    alternates: toTranslations(route, languages, context),
    breadcrumbs: breadcrumbsFor(language, context, { name: title, path }),
    graph: [{ '@type': 'WebPage', name: title, url: toUrl(path, context.canonicalOrigin) }],
  })
}

// The label in the navigation of the language, otherwise the template's title.
function toStaticTitle(key: string, language: string, { settings }: RenderContext): string {
  const { navigation, templates } = settings.site_settings
  const link = navigation.find(
    (item) => item.path === `/${key}` && (item.language ?? language) === language,
  )
  return (
    link?.label ?? templates.find((each) => each.type === 'page' && each.key === key)?.title ?? key
  )
}
