import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AuthorSlice } from '../../contract/author.ts'
import { Language, SiteSettingsBlob, SocialLink } from '../../contract/settings.ts'
import { SitemapUrl } from '../../contract/sitemap.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { type ColumnKind, TEXT_COLUMNS } from './text-columns.ts'
import { VALID_VALUES } from './valid-values.ts'

const VALUE_COUNT = 10_000
/** Makes the generated values the same in every run. */
const SEED = 20_261_122

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture()
})
afterAll(() => fixture.close())

/** Characters of several scripts and Unicode categories, and punctuation. */
const characters = fc.constantFrom(
  ...'abz09AZ-_./\\:#?%&@+ ~\'"<>\n\t\u00a0\u2028\ufeff\u0301äÄßǅʰ٣①²Ⅷ日가ﬁ𝐀𐐨🙂\u200d\u202e',
)
const parts = fc.constantFrom(
  'a',
  'Ab',
  'de',
  'pt',
  'BR',
  'hant',
  '419',
  '1996',
  'http',
  'https',
  '://',
  '//',
  '/',
  '-',
  '--',
  '#',
  '#fff',
  '00aaFF',
  'Europe/',
  'UTC',
  '..',
  '.',
  'image/',
  'jpeg',
  'x'.repeat(199),
  'ü'.repeat(150),
  '日'.repeat(90),
  'javascript:',
)
/** Generates valid values, also repeated or with one more character, and random texts of parts or characters. */
const toTexts = (kind: ColumnKind): fc.Arbitrary<string> => {
  const valid = fc.constantFrom<string>(...VALID_VALUES[kind])
  return fc
    .oneof(
      valid,
      fc
        .tuple(valid, characters, fc.nat(60))
        .map(([text, character, at]) => text.slice(0, at) + character + text.slice(at)),
      fc.array(parts, { minLength: 1, maxLength: 5 }).map((texts) => texts.join('')),
      fc.array(characters, { maxLength: 12 }).map((texts) => texts.join('')),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.tuple(valid, fc.nat(400)).map(([text, times]) => text.repeat(times).slice(0, 30_000)),
    )
    .map((text) => text.toWellFormed().replaceAll('\0', ''))
}

const generate = <Value>(values: fc.Arbitrary<Value>): Value[] =>
  fc.sample(values, { numRuns: VALUE_COUNT, seed: SEED })

interface ColumnValues<Value> {
  relation: string
  column: string
  type: string
  values: readonly Value[]
}

/**
 * Returns the values that every CHECK constraint of a column accepts; a check that is null accepts. `OFFSET 0` makes
 * PostgreSQL cast each value once.
 */
async function selectAccepted<Value>({
  relation,
  column,
  type,
  values,
}: ColumnValues<Value>): Promise<Value[]> {
  const rows = await fixture.sql<{ expression: string }>(
    `SELECT pg_get_expr(conbin, conrelid) AS expression FROM pg_constraint JOIN pg_attribute
      ON attrelid = conrelid AND attname = $2 AND conkey = ARRAY[attnum]
    WHERE conrelid = $1::regclass AND contype = 'c'`,
    [relation, column],
  )
  expect(rows.length, `${relation}.${column} has no rule`).toBeGreaterThan(0)
  const checks = rows.map(({ expression }) => `(${expression}) IS NOT FALSE`).join(' AND ')
  const items =
    type === 'jsonb' || type.endsWith('[]') ? values.map((value) => JSON.stringify(value)) : values
  const cast = type.endsWith('[]')
    ? `ARRAY(SELECT jsonb_array_elements_text(item::jsonb))::${type}`
    : `item::${type}`
  const accepted = await fixture.sql<{ position: string }>(
    `SELECT position FROM unnest($1::text[]) WITH ORDINALITY AS given (item, position),
      LATERAL (SELECT ${cast} AS ${column} OFFSET 0) AS row WHERE ${checks}`,
    [items],
  )
  const positions = new Set(accepted.map(({ position }) => Number(position) - 1))
  return values.filter((_, position) => positions.has(position))
}

describe('of 10,000 generated values, those that the database accepts match the contract', () => {
  test.each(TEXT_COLUMNS)('%s', async (name, kind, schema) => {
    const [relation = '', column = ''] = name.split('.')
    const accepted = await selectAccepted({
      relation,
      column,
      type: 'text',
      values: generate(toTexts(kind)),
    })
    expect(accepted.length).toBeGreaterThan(VALUE_COUNT / 20)
    expect(accepted.filter((value) => !schema.safeParse(value).success)).toEqual([])
  })

  test('a path with an accepted slug is a path of the site', async () => {
    const column = { relation: 'articles', column: 'slug', type: 'text' }
    for (const slug of await selectAccepted({ ...column, values: generate(toTexts('slug')) }))
      expect(
        SitemapUrl.shape.path.safeParse(`/zh-hant-tw/category/${encodeURIComponent(slug)}`).success,
        slug,
      ).toBe(true)
  })

  test.each(['site_settings', 'global_settings'])('%s.social_links', async (relation) => {
    const link = fc.record({
      platform: fc.oneof(toTexts('text'), fc.integer()),
      url: fc.oneof(toTexts('url'), fc.constant(null)),
    })
    const values = generate(
      fc.oneof(
        fc.array(
          fc.oneof(
            fc.record({ platform: toTexts('text'), url: fc.constantFrom(...VALID_VALUES.url) }),
            link,
          ),
          { maxLength: 3 },
        ),
        fc.jsonValue(),
      ),
    )
    const accepted = await selectAccepted({
      relation,
      column: 'social_links',
      type: 'jsonb',
      values: values.map(toStorable),
    })
    expect(accepted.length).toBeGreaterThan(100)
    for (const value of accepted)
      for (const each of value as unknown[]) expect(SocialLink.safeParse(each).success).toBe(true)
  })

  test('site_languages.labels', async () => {
    const values = generate(
      fc.oneof(
        fc.dictionary(toTexts('text'), fc.oneof(toTexts('text'), fc.integer()), { maxKeys: 2 }),
        fc.jsonValue(),
      ),
    )
    const accepted = await selectAccepted({
      relation: 'site_languages',
      column: 'labels',
      type: 'jsonb',
      values: values.map(toStorable),
    })
    expect(accepted.length).toBeGreaterThan(100)
    for (const value of accepted) expect(Language.shape.labels.safeParse(value).success).toBe(true)
  })

  test.each(['social_links', 'expertise'] as const)('authors.%s', async (column) => {
    const kind = column === 'expertise' ? 'text' : 'url'
    const values = generate(fc.array(toTexts(kind), { maxLength: 3 }))
    const accepted = await selectAccepted({ relation: 'authors', column, type: 'text[]', values })
    expect(accepted.length).toBeGreaterThan(100)
    for (const value of accepted)
      expect(AuthorSlice.shape[column].safeParse(value).success).toBe(true)
  })

  test.each([
    ['site_settings', 'articles_per_page', SiteSettingsBlob.shape.articles_per_page],
    ['global_settings', 'articles_per_page', SiteSettingsBlob.shape.articles_per_page],
  ])('%s.%s', async (relation, column, schema) => {
    const values = generate(fc.oneof(fc.integer({ min: -10, max: 120 }), fc.integer()))
    const accepted = await selectAccepted({ relation, column, type: 'integer', values })
    expect(accepted.length).toBeGreaterThan(100)
    for (const value of accepted) expect(schema.safeParse(value).success).toBe(true)
  })

  test.each(['published_at', 'updated_at', 'created_at'])('articles.%s', async (column) => {
    const dates = fc.date({ min: new Date(-62e12), max: new Date(26e13), noInvalidDate: true })
    const values = generate(
      fc.oneof(fc.constantFrom('infinity', '-infinity'), dates.map(toTimestamp)),
    )
    const accepted = await selectAccepted({
      relation: 'articles',
      column,
      type: 'timestamptz',
      values,
    })
    expect(accepted.length).toBeGreaterThan(VALUE_COUNT / 20)
    for (const value of accepted)
      expect(
        SitemapUrl.shape.published_at.safeParse(new Date(value).toISOString()).success,
        value,
      ).toBe(true)
  })
})

describe('the database accepts all valid values', () => {
  test.each(TEXT_COLUMNS)('%s', async (name, kind, schema) => {
    const [relation = '', column = ''] = name.split('.')
    const values = VALID_VALUES[kind].filter(
      (value) => name !== 'sites.acronym' || isAcronym(value),
    )
    expect(values.filter((value) => !schema.safeParse(value).success)).toEqual([])
    expect(await selectAccepted({ relation, column, type: 'text', values })).toEqual(values)
  })

  test.each([
    ['images.key', VALID_VALUES.objectKey],
    ['redirects.from_path', VALID_VALUES.path],
    ['redirects.to_path', VALID_VALUES.path],
  ])('%s', async (name, values) => {
    const [relation = '', column = ''] = name.split('.')
    expect(await selectAccepted({ relation, column, type: 'text', values })).toEqual(values)
  })
})

// An acronym has more constraints than other columns of the kind `text`.
const isAcronym = (text: string): boolean =>
  text !== '' && text === text.toLowerCase() && Buffer.byteLength(text) <= 100

// PostgreSQL's JSON allows neither NUL nor a lone surrogate.
const toStorable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('\\u0000', '')
      .replace(/\\ud[89a-f][0-9a-f]{2}/gi, ''),
  )

// PostgreSQL writes a year after 9999 without the sign that ISO 8601 requires.
const toTimestamp = (date: Date): string => date.toISOString().replace(/^\+0*/, '')
