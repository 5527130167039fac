import type { RenderContext } from '../render-context.ts'
import { toProfilePage } from './json-ld.ts'
import { pathFor, toListPage, toListQuery } from './list-page.ts'
import {
  breadcrumbsFor,
  languageCodesOf,
  type Page,
  type RouteOf,
  toRichText,
  toTranslations,
} from './page-model.ts'

/** Loads an author's page; returns undefined for an unknown author or cursor. */
export async function loadAuthor(
  route: RouteOf<'author'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { slug, language } = route
  // Not in parallel, so that an unknown author costs only one request.
  const profile = await context.api.author(slug)
  if (profile.type === 'not-found') return undefined
  const query = { ...toListQuery(route, context), kind: 'author', author_slug: slug } as const
  const list = await context.api.list(query)
  if (list.type === 'not-found') return undefined
  const { author, seo, stats } = profile.value
  const path = pathFor({ type: 'author', slug, language }, context)
  return toListPage(route, context, list.value, {
    pageType: 'author',
    template: 'author',
    title: seo.title,
    description: seo.description,
    image: author.image,
    ogType: 'profile',
    view: { author: { ...author, bio_html: toRichText(author.bio_html) }, stats },
    alternates: toTranslations(route, languageCodesOf(context), context),
    breadcrumbs: breadcrumbsFor(language, context, { name: author.name, path }),
    graph: [toProfilePage(profile.value, path, context.canonicalOrigin)],
  })
}
