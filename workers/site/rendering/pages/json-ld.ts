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

/** Returns the schema.org nodes of a page as the content of a `script` element. */
export function toJsonLd(page: Page, settings: SettingsBundle, origin: string): string {
  const nodes = [
    toOrganization(settings, origin),
    toWebSite(settings, origin, page.language),
    ...page.graph,
    ...(page.breadcrumbs.length > 0 ? [toBreadcrumbList(page, origin)] : []),
  ]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })
  return json.replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function toNewsArticle(article: ArticlePage, origin: string): JsonLdNode {
  const url = toUrl(article.path, origin)
  return {
    '@type': 'NewsArticle',
    '@id': `${url}#article`,
    mainEntityOfPage: url,
    headline: article.title,
    description: article.description ?? undefined,
    image: article.image ? [toImageObject(article.image, origin)] : undefined,
    datePublished: article.published_at ?? undefined,
    dateModified: article.updated_at,
    inLanguage: article.language,
    wordCount: article.word_count,
    articleSection: article.category?.name,
    keywords: article.tags.length > 0 ? article.tags.map((tag) => tag.name) : undefined,
    author: article.author
      ? toPerson(article.author, origin)
      : { '@id': `${origin}/#organization` },
    publisher: { '@id': `${origin}/#organization` },
    isPartOf: { '@id': `${origin}/#website` },
  }
}

export function toProfilePage(profile: AuthorProfile, path: string, origin: string): JsonLdNode {
  const { '@context': _context, ...person } = profile.seo.person
  return {
    '@type': 'ProfilePage',
    url: toUrl(path, origin),
    dateModified: profile.stats.latest_published_at ?? undefined,
    mainEntity: person,
  }
}

export function toCollectionPage(
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

function toOrganization(
  { site_settings: siteSettings }: SettingsBundle,
  origin: string,
): JsonLdNode {
  return {
    '@type': 'NewsMediaOrganization',
    '@id': `${origin}/#organization`,
    name: siteSettings.publisher_name,
    url: `${origin}/`,
    logo: siteSettings.logo ? toImageObject(siteSettings.logo, origin) : undefined,
    email: siteSettings.contact_email || undefined,
    sameAs:
      siteSettings.social_links.length > 0
        ? siteSettings.social_links.map(({ url }) => url)
        : undefined,
  }
}

function toWebSite(settings: SettingsBundle, origin: string, language: string): JsonLdNode {
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

function toBreadcrumbList(page: Page, origin: string): JsonLdNode {
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

function toPerson(author: AuthorSlice, origin: string): JsonLdNode {
  return {
    '@type': 'Person',
    name: author.name,
    url: toUrl(author.path, origin),
    jobTitle: author.job_title ?? undefined,
  }
}

function toImageObject(image: Image, origin: string): JsonLdNode {
  return {
    '@type': 'ImageObject',
    url: toUrl(image.url, origin),
    width: image.width,
    height: image.height,
    caption: image.caption ?? undefined,
    creditText: image.credit ?? undefined,
  }
}
