import type { Ids, Row, Rows } from '../prisma/rows.ts'
import { countWords } from './article-rows.ts'
import { addDays, startOfDay } from './instant.ts'
import type { Newsroom, PhraseBook } from './newsroom.ts'
import { createRandom, type Random, toUuid } from './random.ts'
import type { RowIds } from './site-rows.ts'

interface VariationsContext {
  newsroom: Newsroom
  rowIds: RowIds
  ids: Ids
  reference: Date
  /** Ids of pictures that generated articles can use, by language. */
  images: Map<unknown, number[]>
}

const BATCH_SIZE = 2000
/** Generated articles are published in this number of years before the reference day. */
const YEARS = 6
const OTHER_TYPES = ['newsletter', 'liveblog', 'static_page']

/** Generates `count` articles from the phrase books, in batches of rows. */
export function* createVariations(context: VariationsContext, count: number): Generator<Rows> {
  const random = createRandom(`variations/${context.newsroom.site.acronym}`)
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, count - first)
    yield mergeRows(
      Array.from({ length: size }, (_, index) => createVariation(context, random, first + index)),
    )
  }
}

interface Variation {
  article: Row & { id: number }
  tags: number[]
  score: number | undefined
}

function createVariation(context: VariationsContext, random: Random, index: number): Variation {
  const { newsroom, rowIds, ids, reference, images } = context
  const defaultPhrases = newsroom.phrases.filter(
    ({ language }) => language === newsroom.site.default_language,
  )
  const { language, book } = random.pick(random.next() < 0.6 ? defaultPhrases : newsroom.phrases)
  const category = random.pick(Object.keys(book.headlines))
  const text = createText(book, category, random)
  const slug = `${toSlug(text.title)}-${index.toString(36)}`
  const statusAndDates = createStatusAndDates(random, reference)
  const id = ids.next('articles')
  const article = {
    id,
    site_id: rowIds.siteId,
    slug,
    language,
    translation_group: toUuid(`${newsroom.site.acronym}/${slug}/${language}`),
    content_type: random.next() < 0.97 ? 'homepage_article' : random.pick(OTHER_TYPES),
    ...statusAndDates,
    ...text,
    category_id: rowIds.categoryId(category, language),
    author_id: rowIds.authorId(random.pick(newsroom.authors).slug),
    image_id: random.next() < 0.9 ? random.pick(images.get(language) ?? [null]) : null,
    is_featured: random.next() < 0.06,
    show_in_homepage: random.next() < 0.8,
  }
  const tags = random.sample(
    newsroom.articles.flatMap(({ tags: [tag] }) => tag ?? []).slice(0, 40),
    random.between(1, 4),
  )
  return {
    article,
    tags: [...new Set(tags)].map((tag) => rowIds.tagId(tag, language)),
    score: toScore(statusAndDates, reference, random),
  }
}

function createText(book: PhraseBook, category: string, random: Random) {
  const fill = (pattern: string) => fillSlots(pattern, book.slots, random)
  const paragraphs = random.sample(book.paragraphs, random.between(4, 7)).map(fill)
  const heading = fill(random.pick(book.headings))
  const half = Math.ceil(paragraphs.length / 2)
  const toHtml = (text: string) => `<p>${text}</p>\n`
  const body = [
    ...paragraphs.slice(0, half).map(toHtml),
    `<h2>${heading}</h2>\n`,
    ...paragraphs.slice(half).map(toHtml),
  ].join('')
  return {
    title: fill(random.pick(book.headlines[category] ?? [])),
    description: fill(random.pick(book.descriptions)),
    body_html: body,
    word_count: countWords(body),
  }
}

/**
 * Returns a random status with dates. Most articles are published, recent days have more of them than older
 * ones; some articles are drafts, unpublished or scheduled.
 */
function createStatusAndDates(random: Random, reference: Date) {
  const chance = random.next()
  const status = chance < 0.965 ? 'published' : chance < 0.985 ? 'draft' : 'unpublished'
  const isScheduled = chance < 0.005
  const days = isScheduled ? random.between(1, 30) : -1 - 365 * YEARS * random.next() ** 1.8
  const day = startOfDay(addDays(reference, days))
  const published = addDays(day, random.between(5 * 60, 22 * 60) / 1440)
  const created = isScheduled
    ? addDays(reference, -random.next())
    : addDays(published, -2 * random.next())
  const updated = isScheduled
    ? created
    : addDays(published, random.next() < 0.2 ? random.next() : 0)
  return {
    status,
    published_at: status === 'draft' ? null : published,
    created_at: created,
    updated_at: updated < reference ? updated : created,
  }
}

function toScore(
  { status, published_at }: { status: string; published_at: Date | null },
  reference: Date,
  random: Random,
): number | undefined {
  if (status !== 'published' || !published_at || published_at >= reference) return undefined
  const age = (reference.getTime() - published_at.getTime()) / 86_400_000
  return age < 30 ? Math.round((1500 * random.next() ** 3) / (1 + age / 5)) : undefined
}

function mergeRows(variations: Variation[]): Rows {
  return {
    articles: variations.map(({ article }) => article),
    article_tags: variations.flatMap(({ article, tags }) =>
      tags.map((tag) => ({ article_id: article.id, tag_id: tag })),
    ),
    article_scores: variations.flatMap(({ article, score }) =>
      score === undefined ? [] : [{ article_id: article.id, site_id: article.site_id, score }],
    ),
  }
}

function fillSlots(pattern: string, slots: PhraseBook['slots'], random: Random): string {
  const text = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'number' ? String(random.between(3, 96)) : random.pick(slots[name] ?? []),
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** ASCII spellings of letters for slugs: NFKD does not decompose them, or German has another spelling. */
const LETTERS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
}

function toSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[äöüßæøœłđ]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
