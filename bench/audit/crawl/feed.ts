import { type Document, isAbsolute, parseXml, textsOf } from './xml.ts'

const RFC_822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Returns violations of the feed's format; every format allows an empty feed. */
export function checkFeed(contentType: string, body: string): string[] {
  if (contentType.startsWith('application/feed+json')) return checkJsonFeed(JSON.parse(body))
  const parsed = parseXml(body)
  if (typeof parsed === 'string') return [parsed]
  return contentType.startsWith('application/atom+xml') ? checkAtom(parsed) : checkRss(parsed)
}

/** RSS 2.0: the channel's required elements, a title or description for each item, and RFC 822 dates. */
function checkRss($: Document): string[] {
  const items = $('channel > item').toArray()
  return [
    ...($('rss').attr('version') === '2.0' ? [] : ['is not RSS 2.0']),
    ...['title', 'link', 'description']
      .filter((name) => $(`channel > ${name}`).length !== 1)
      .map((name) => `${name} of the channel is missing or repeated`),
    ...($('channel > atom\\:link[rel=self]').length === 1 ? [] : ['has no link to itself']),
    ...findRelative(textsOf($, 'link')),
    ...textsOf($, 'pubDate, lastBuildDate')
      .filter((date) => !RFC_822.test(date))
      .map((date) => `${date} is not a date of RFC 822`),
    ...findDuplicates(textsOf($, 'item > guid')),
    ...items
      .filter((item) => $(item).children('title, description').length === 0)
      .map(() => 'item has neither title nor description'),
  ].map((problem) => `RSS: ${problem}`)
}

/** RFC 4287 §4.1: id, title and updated of the feed and each entry, and an author for each entry. */
function checkAtom($: Document): string[] {
  const entries = $('feed > entry').toArray()
  const members = ['id', 'title', 'updated']
  const hasFeedAuthor = $('feed > author > name').length > 0
  return [
    ...members
      .filter((name) => $(`feed > ${name}`).length !== 1)
      .map((name) => `${name} of the feed is missing or repeated`),
    ...entries.flatMap((entry) =>
      members
        .filter((name) => $(entry).children(name).length !== 1)
        .map((name) => `entry ${name} is missing or repeated`),
    ),
    ...entries
      .filter((entry) => !hasFeedAuthor && $(entry).children('author').length === 0)
      .map(() => 'entry author is missing'),
    ...($('feed > link[rel=self]').length === 1 ? [] : ['has no link to itself']),
    ...findRelative(
      $('link')
        .toArray()
        .map((link) => $(link).attr('href') ?? ''),
    ),
    ...findMalformed(textsOf($, 'updated, published')),
    ...findDuplicates(textsOf($, 'entry > id')),
  ].map((problem) => `Atom: ${problem}`)
}

type JsonFeed = {
  version?: string
  title?: string
  feed_url?: string
  home_page_url?: string
  items?: {
    id?: string
    url?: string
    content_text?: string
    content_html?: string
    date_published?: string
    date_modified?: string
    authors?: { name?: string; url?: string; avatar?: string }[]
  }[]
}

/** JSON Feed 1.1: version, title, an id and content for each item, and RFC 3339 dates. */
function checkJsonFeed({
  version,
  title,
  feed_url,
  home_page_url,
  items = [],
}: JsonFeed): string[] {
  return [
    ...(version === 'https://jsonfeed.org/version/1.1' ? [] : ['version is not 1.1']),
    ...(title ? [] : ['title is missing']),
    ...findRelative([feed_url, home_page_url, ...items.map(({ url }) => url)].filter(isDefined)),
    ...items.filter(({ id }) => typeof id !== 'string').map(() => 'item id is not a text'),
    ...items
      .filter(({ content_text, content_html }) => !content_text && !content_html)
      .map(({ id }) => `content of ${id} is missing`),
    ...findMalformed(
      items
        .flatMap(({ date_published, date_modified }) => [date_published, date_modified])
        .filter(isDefined),
    ),
    ...items
      .flatMap(({ authors = [] }) => authors)
      .filter(({ name, url, avatar }) => !name && !url && !avatar)
      .map(() => 'author has neither name, URL nor avatar'),
    ...findDuplicates(items.map(({ id }) => id ?? '')),
  ].map((problem) => `JSON Feed: ${problem}`)
}

const isDefined = (value: string | undefined): value is string => value !== undefined

const findRelative = (urls: readonly string[]): string[] =>
  urls.filter((url) => !isAbsolute(url)).map((url) => `${url} is not an absolute URL`)

const findMalformed = (instants: readonly string[]): string[] =>
  instants
    .filter((instant) => !RFC_3339.test(instant))
    .map((instant) => `${instant} is not an instant of RFC 3339`)

const findDuplicates = (ids: readonly string[]): string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is used twice`)
