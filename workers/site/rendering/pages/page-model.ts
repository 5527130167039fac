import type { Breadcrumb } from '../../../../contract/article.ts'
import type { PageType } from '../../../../contract/constants.ts'
import type { LinkedAlternate } from '../../../../contract/link.ts'
import type { Image } from '../../../../contract/primitives.ts'
import type { RenderContext } from '../render-context.ts'
import type { LanguageRoute } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { SafeHtml } from '../templates/safe-html.ts'
import type { View } from '../templates/template-renderer.ts'
import { DEFAULT_LABELS } from './labels.ts'

export type JsonLdNode = { '@type': string } & Record<string, unknown>

/** A page before its templates are rendered: the template, its variables, and the data of the head. */
export type Page = {
  pageType: PageType
  status: 200 | 404 | 410
  template: string
  language: string
  path: string
  view: View
  /** Null: the site's title and tagline. */
  title: string | null
  description: string | null
  image: Image | null
  ogType: 'website' | 'article' | 'profile'
  /** Robots directives; null: the site's default. */
  robots: string | null
  /** Canonical URL; null: the URL of `path`. */
  canonical: string | null
  /** The page and its translations; empty: no links to other languages. */
  alternates: readonly LinkedAlternate[]
  breadcrumbs: readonly Breadcrumb[]
  /** Nodes of the page itself; those of every page are in `json-ld.ts`. */
  graph: readonly JsonLdNode[]
  published: string | null
  modified: string | null
}

/** Excludes a page from search engines, but not the pages it links to. */
export const NOINDEX_FOLLOW = 'noindex, follow'

/** The fields of a page that differ from the defaults. */
export type PageContent = Pick<Page, 'pageType' | 'template' | 'view' | 'title'> & Partial<Page>

export type RouteOf<T extends LanguageRoute['type']> = Extract<LanguageRoute, { type: T }>

export function toPage(route: LanguageRoute, context: RenderContext, content: PageContent): Page {
  return {
    status: 200,
    language: route.language,
    path: toRoutePath(route, context.settings.site.default_language),
    description: null,
    image: null,
    ogType: 'website',
    robots: null,
    canonical: null,
    alternates: [],
    breadcrumbs: [],
    graph: [],
    published: null,
    modified: null,
    ...content,
  }
}

/** Returns the paths of a route in these languages. */
export function toTranslations(
  route: LanguageRoute,
  languages: readonly string[],
  { settings }: RenderContext,
): LinkedAlternate[] {
  return languages.map((language) => ({
    language,
    path: toRoutePath({ ...route, language }, settings.site.default_language),
  }))
}

export const languageCodesOf = ({ settings }: RenderContext): string[] =>
  settings.site_settings.languages.map(({ code }) => code)

export function labelFor(
  key: keyof typeof DEFAULT_LABELS,
  language: string,
  { settings }: RenderContext,
): string {
  const labels = settings.site_settings.languages.find(({ code }) => code === language)?.labels
  return labels?.[key] ?? DEFAULT_LABELS[key]
}

/** Returns the breadcrumbs from the home page to a page. */
export function breadcrumbsFor(
  language: string,
  context: RenderContext,
  ...steps: readonly Breadcrumb[]
): Breadcrumb[] {
  const home = toRoutePath({ type: 'home', language }, context.settings.site.default_language)
  return [{ name: labelFor('home', language, context), path: home }, ...steps]
}

/** Marks HTML that the API has sanitised, so that it is not escaped. */
export const toRichText = (html: string | null): SafeHtml | null =>
  html === null ? null : new SafeHtml(html)
