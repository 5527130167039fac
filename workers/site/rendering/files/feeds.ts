import type { ListItem } from '../../../../contract/list.ts'
import type { RouteOf } from '../pages/page-model.ts'
import type { File, RenderContext } from '../render-context.ts'
import type { FeedFormat } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import { element, textElement, toXmlDocument } from './xml.ts'

const ITEMS = 30

type Feed = {
  title: string
  description: string
  language: string
  /** Absolute URLs of the page with the same articles, and of the feed. */
  home: string
  self: string
  items: readonly ListItem[]
  origin: string
  domain: string
  now: Date
}

const FORMATS: Record<FeedFormat, (feed: Feed) => File> = { rss: toRss, atom: toAtom, json: toJson }

/** The newest articles of the site or of a category; undefined when there is no such category. */
export async function renderFeed(
  route: RouteOf<'feed'>,
  context: RenderContext,
): Promise<File | undefined> {
  const { language, category: slug } = route
  const { site, site_settings: blob } = context.settings
  const category = blob.categories.find((row) => row.slug === slug && row.language === language)
  if (slug && !category) return undefined
  const answer = await context.api.list({
    ...(slug ? { kind: 'category', category: slug } : { kind: 'recent' }),
    language,
    limit: ITEMS,
  })
  if (answer.type === 'not-found') return undefined
  const url = (path: string) => toUrl(path, context.canonicalOrigin)
  const home = slug
    ? ({ type: 'category', slug, language } as const)
    : ({ type: 'home', language } as const)
  return FORMATS[route.format]({
    title: category ? `${category.name} — ${blob.title}` : blob.title,
    description: category?.description ?? blob.description ?? blob.tagline ?? blob.title,
    language,
    home: url(toRoutePath(home, site.default_language)),
    self: url(toRoutePath(route, site.default_language)),
    items: answer.value.items,
    origin: context.canonicalOrigin,
    domain: site.domain,
    now: context.now,
  })
}

/** RSS 2.0, https://www.rssboard.org/rss-specification */
function toRss(feed: Feed): File {
  const items = feed.items.map((item) =>
    element(
      'item',
      [
        textElement('title', item.title),
        textElement('link', toUrl(item.path, feed.origin)),
        textElement('guid', toTag(item, feed), { isPermaLink: 'false' }),
        textElement('pubDate', toRfc822(item.published_at)),
        ...(item.description ? [textElement('description', item.description)] : []),
        ...(item.author ? [textElement('dc:creator', item.author.name)] : []),
        ...(item.category ? [textElement('category', item.category.name)] : []),
        ...(item.image ? [toMedia(item.image, feed.origin)] : []),
      ].join(''),
    ),
  )
  const channel = [
    textElement('title', feed.title),
    textElement('link', feed.home),
    textElement('description', feed.description),
    textElement('language', feed.language),
    textElement('lastBuildDate', toRfc822(updatedOf(feed))),
    element('atom:link', '', { href: feed.self, rel: 'self', type: 'application/rss+xml' }),
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
function toAtom(feed: Feed): File {
  const entries = feed.items.map((item) =>
    element(
      'entry',
      [
        textElement('title', item.title),
        element('link', '', { href: toUrl(item.path, feed.origin) }),
        textElement('id', toTag(item, feed)),
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
      element('link', '', { href: feed.home }),
      element('link', '', { href: feed.self, rel: 'self' }),
      textElement('id', feed.self),
      textElement('updated', updatedOf(feed)),
      element('author', textElement('name', feed.title)),
      ...entries,
    ].join(''),
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.language },
  )
  return { contentType: 'application/atom+xml; charset=utf-8', body: toXmlDocument(root) }
}

/** JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/ */
function toJson(feed: Feed): File {
  const body = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    language: feed.language,
    home_page_url: feed.home,
    feed_url: feed.self,
    items: feed.items.map((item) => ({
      id: toTag(item, feed),
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

function toMedia(image: NonNullable<ListItem['image']>, origin: string): string {
  const { url, width, height, mime_type, alt } = image
  const attributes = { url: toUrl(url, origin), medium: 'image', type: mime_type, width, height }
  return element('media:content', textElement('media:description', alt), attributes)
}

// RFC 4151: stays the same when the article moves.
const toTag = ({ id, published_at }: ListItem, { domain }: Feed): string =>
  `tag:${domain},${published_at.slice(0, 10)}:article/${id}`

const updatedOf = ({ items, now }: Feed): string =>
  items
    .map((item) => item.updated_at)
    .toSorted()
    .at(-1) ?? now.toISOString()

const toRfc822 = (instant: string): string => new Date(instant).toUTCString()
