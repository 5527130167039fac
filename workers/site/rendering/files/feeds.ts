import type { ListItem } from '../../../../contract/list.ts'
import type { RouteOf } from '../pages/page-model.ts'
import type { RenderContext, RenderedFile } from '../render-context.ts'
import type { FeedFormat } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import { element, textElement, toXmlDocument } from './xml.ts'

const MAX_ITEMS = 30

type Feed = {
  title: string
  description: string
  language: string
  /** Absolute URL of the page with the same articles. */
  pageUrl: string
  /** Absolute URL of the feed. */
  feedUrl: string
  items: readonly ListItem[]
  origin: string
  domain: string
  now: Date
}

const FORMATS: Record<FeedFormat, (feed: Feed) => RenderedFile> = {
  rss: toRss,
  atom: toAtom,
  json: toJsonFeed,
}

/** Renders a feed of the newest 30 articles of the site or a category; undefined for an unknown category. */
export async function renderFeed(
  route: RouteOf<'feed'>,
  context: RenderContext,
): Promise<RenderedFile | undefined> {
  const { language, category: slug } = route
  const { site, site_settings: siteSettings } = context.settings
  const category = siteSettings.categories.find(
    (row) => row.slug === slug && row.language === language,
  )
  if (slug && !category) return undefined
  const result = await context.api.list({
    ...(slug ? { kind: 'category', category: slug } : { kind: 'recent' }),
    language,
    limit: MAX_ITEMS,
  })
  if (result.type === 'not-found') return undefined
  const toAbsolute = (path: string) => toUrl(path, context.canonicalOrigin)
  const pageRoute = slug
    ? ({ type: 'category', slug, language } as const)
    : ({ type: 'home', language } as const)
  return FORMATS[route.format]({
    title: category ? `${category.name} — ${siteSettings.title}` : siteSettings.title,
    description:
      category?.description ??
      siteSettings.description ??
      siteSettings.tagline ??
      siteSettings.title,
    language,
    pageUrl: toAbsolute(toRoutePath(pageRoute, site.default_language)),
    feedUrl: toAbsolute(toRoutePath(route, site.default_language)),
    items: result.value.items,
    origin: context.canonicalOrigin,
    domain: site.domain,
    now: context.now,
  })
}

/** RSS 2.0, https://www.rssboard.org/rss-specification */
function toRss(feed: Feed): RenderedFile {
  const items = feed.items.map((item) =>
    element(
      'item',
      [
        textElement('title', item.title),
        textElement('link', toUrl(item.path, feed.origin)),
        textElement('guid', toTagUri(item, feed), { isPermaLink: 'false' }),
        textElement('pubDate', toRfc822(item.published_at)),
        ...(item.description ? [textElement('description', item.description)] : []),
        ...(item.author ? [textElement('dc:creator', item.author.name)] : []),
        ...(item.category ? [textElement('category', item.category.name)] : []),
        ...(item.image ? [toMediaContent(item.image, feed.origin)] : []),
      ].join(''),
    ),
  )
  const channel = [
    textElement('title', feed.title),
    textElement('link', feed.pageUrl),
    textElement('description', feed.description),
    textElement('language', feed.language),
    textElement('lastBuildDate', toRfc822(findLastUpdate(feed))),
    element('atom:link', '', { href: feed.feedUrl, rel: 'self', type: 'application/rss+xml' }),
    ...items,
  ]
  const root = element('rss', element('channel', channel.join('')), {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:media': 'http://search.yahoo.com/mrss/',
  })
  return { contentType: 'application/rss+xml; charset=utf-8', body: toXmlDocument(root) }
}

/** Atom, RFC 4287. */
function toAtom(feed: Feed): RenderedFile {
  const entries = feed.items.map((item) =>
    element(
      'entry',
      [
        textElement('title', item.title),
        element('link', '', { href: toUrl(item.path, feed.origin) }),
        textElement('id', toTagUri(item, feed)),
        textElement('published', item.published_at),
        textElement('updated', item.updated_at),
        ...(item.description ? [textElement('summary', item.description)] : []),
        ...(item.author ? [element('author', textElement('name', item.author.name))] : []),
      ].join(''),
    ),
  )
  const root = element(
    'feed',
    [
      textElement('title', feed.title),
      textElement('subtitle', feed.description),
      element('link', '', { href: feed.pageUrl }),
      element('link', '', { href: feed.feedUrl, rel: 'self' }),
      textElement('id', feed.feedUrl),
      textElement('updated', findLastUpdate(feed)),
      element('author', textElement('name', feed.title)),
      ...entries,
    ].join(''),
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.language },
  )
  return { contentType: 'application/atom+xml; charset=utf-8', body: toXmlDocument(root) }
}

/** JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/ */
function toJsonFeed(feed: Feed): RenderedFile {
  const body = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    language: feed.language,
    home_page_url: feed.pageUrl,
    feed_url: feed.feedUrl,
    items: feed.items.map((item) => ({
      id: toTagUri(item, feed),
      url: toUrl(item.path, feed.origin),
      title: item.title,
      content_text: item.description ?? item.title,
      date_published: item.published_at,
      date_modified: item.updated_at,
      image: item.image ? toUrl(item.image.url, feed.origin) : undefined,
      authors: item.author
        ? [{ name: item.author.name, url: toUrl(item.author.path, feed.origin) }]
        : undefined,
      tags: item.category ? [item.category.name] : undefined,
    })),
  }
  return { contentType: 'application/feed+json; charset=utf-8', body: `${JSON.stringify(body)}\n` }
}

function toMediaContent(image: NonNullable<ListItem['image']>, origin: string): string {
  const { url, width, height, mime_type, alt } = image
  const attributes = { url: toUrl(url, origin), medium: 'image', type: mime_type, width, height }
  return element('media:content', textElement('media:description', alt), attributes)
}

// A tag URI (RFC 4151) does not change when the article moves.
const toTagUri = ({ id, published_at }: ListItem, { domain }: Feed): string =>
  `tag:${domain},${published_at.slice(0, 10)}:article/${id}`

const findLastUpdate = ({ items, now }: Feed): string =>
  items
    .map((item) => item.updated_at)
    .toSorted()
    .at(-1) ?? now.toISOString()

const toRfc822 = (instant: string): string => new Date(instant).toUTCString()
