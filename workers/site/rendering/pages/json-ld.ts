import type { ArticlePage } from '../../../../contract/article.ts'
import type { AuthorProfile, AuthorSlice } from '../../../../contract/author.ts'
import type { ListItem } from '../../../../contract/list.ts'
import type { Image } from '../../../../contract/primitives.ts'
import type { SettingsBundle } from '../../../../contract/settings.ts'
import { toRoutePath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import type { JsonLdNode, Page } from './page-model.ts'

// Characters that could end the script element or a line of JavaScript.
const UNSAFE = /[<>&\u2028\u2029]/g

/** schema.org nodes of a page as the text of a `script` element of type `application/ld+json`. */
export function toJsonLd(page: Page, settings: SettingsBundle, origin: string): string {
  const nodes = [
    organizationOf(settings, origin),
    websiteOf(settings, origin, page.language),
    ...page.graph,
    ...(page.breadcrumbs.length > 0 ? [breadcrumbsOf(page, origin)] : []),
  ]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })
  return json.replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function newsArticleOf(article: ArticlePage, origin: string): JsonLdNode {
  const url = toUrl(article.path, origin)
  return {
    '@type': 'NewsArticle',
    '@id': `${url}#article`,
    mainEntityOfPage: url,
    headline: article.title,
    description: article.description ?? undefined,
    image: article.image ? [imageOf(article.image, origin)] : undefined,
    datePublished: article.published_at ?? undefined,
    dateModified: article.updated_at,
    inLanguage: article.language,
    wordCount: article.word_count,
    articleSection: article.category?.name,
    keywords: article.tags.length > 0 ? article.tags.map((tag) => tag.name) : undefined,
    author: article.author
      ? authorOf(article.author, origin)
      : { '@id': `${origin}/#organization` },
    publisher: { '@id': `${origin}/#organization` },
    isPartOf: { '@id': `${origin}/#website` },
  }
}

export function profileOf(profile: AuthorProfile, path: string, origin: string): JsonLdNode {
  const { '@context': _context, ...person } = profile.seo.person
  return {
    '@type': 'ProfilePage',
    url: toUrl(path, origin),
    dateModified: profile.stats.latest_published_at ?? undefined,
    mainEntity: person,
  }
}

export function collectionOf(
  name: string,
  path: string,
  items: readonly Pick<ListItem, 'path' | 'title'>[],
  origin: string,
): JsonLdNode {
  return {
    '@type': 'CollectionPage',
    name,
    url: toUrl(path, origin),
    isPartOf: { '@id': `${origin}/#website` },
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: items.map((item, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        url: toUrl(item.path, origin),
        name: item.title,
      })),
    },
  }
}

function organizationOf({ site_settings: blob }: SettingsBundle, origin: string): JsonLdNode {
  return {
    '@type': 'NewsMediaOrganization',
    '@id': `${origin}/#organization`,
    name: blob.publisher_name,
    url: `${origin}/`,
    logo: blob.logo ? imageOf(blob.logo, origin) : undefined,
    email: blob.contact_email || undefined,
    sameAs: blob.social_links.length > 0 ? blob.social_links.map(({ url }) => url) : undefined,
  }
}

function websiteOf(settings: SettingsBundle, origin: string, language: string): JsonLdNode {
  const search = toRoutePath({ type: 'search', language }, settings.site.default_language)
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: settings.site_settings.title,
    description: settings.site_settings.description ?? undefined,
    url: `${origin}/`,
    inLanguage: settings.site_settings.languages.map(({ code }) => code),
    publisher: { '@id': `${origin}/#organization` },
    potentialAction: {
      '@type': 'SearchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${origin}${search}?q={search_term_string}`,
      },
      'query-input': 'required name=search_term_string',
    },
  }
}

function breadcrumbsOf(page: Page, origin: string): JsonLdNode {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: page.breadcrumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: toUrl(path, origin),
    })),
  }
}

function authorOf(author: AuthorSlice, origin: string): JsonLdNode {
  return {
    '@type': 'Person',
    name: author.name,
    url: toUrl(author.path, origin),
    jobTitle: author.job_title ?? undefined,
  }
}

function imageOf(image: Image, origin: string): JsonLdNode {
  return {
    '@type': 'ImageObject',
    url: toUrl(image.url, origin),
    width: image.width,
    height: image.height,
    caption: image.caption ?? undefined,
    creditText: image.credit ?? undefined,
  }
}
