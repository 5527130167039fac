import type { RenderContext } from '../render-context.ts'
import { profileOf } from './json-ld.ts'
import { pathOf, toListPage, toListQuery } from './list-page.ts'
import {
  breadcrumbsFor,
  languagesOf,
  type Page,
  type RouteOf,
  toRichText,
  toTranslations,
} from './page-model.ts'

/** Undefined when there is no such author, or the cursor is unknown. */
export async function loadAuthor(
  route: RouteOf<'author'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { slug, language } = route
  // One after the other: an unknown author costs one call.
  const profile = await context.api.author(slug)
  if (profile.type === 'not-found') return undefined
  const query = { ...toListQuery(route, context), kind: 'author', author_slug: slug } as const
  const list = await context.api.list(query)
  if (list.type === 'not-found') return undefined
  const { author, seo, stats } = profile.value
  const path = pathOf({ type: 'author', slug, language }, context)
  return toListPage(route, context, list.value, {
    pageType: 'author',
    template: 'author',
    title: seo.title,
    description: seo.description,
    image: author.image,
    ogType: 'profile',
    view: { author: { ...author, bio_html: toRichText(author.bio_html) }, stats },
    alternates: toTranslations(route, languagesOf(context), context),
    breadcrumbs: breadcrumbsFor(language, context, { name: author.name, path }),
    graph: [profileOf(profile.value, path, context.canonicalOrigin)],
  })
}
