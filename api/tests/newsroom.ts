import type { Columns, Fixture } from './fixture.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 12)

/** Returns noon of the day `n` days after the first of January 2026. */
const day = (n: number): Date => new Date(START + n * DAY)

/** Inserts an article into site 1; `columns` override the defaults. */
export function insertArticle(fixture: Fixture, columns: Columns): Promise<number> {
  return fixture.insert('articles', {
    site_id: 1,
    language: 'en',
    status: 'published',
    title: `Title of ${columns.slug}`,
    description: `About ${columns.slug}`,
    body_html: `<p>Body of ${columns.slug}</p>`,
    word_count: 660,
    show_in_homepage: false,
    published_at: day(0),
    updated_at: day(0),
    created_at: day(0),
    ...columns,
  })
}

/**
 * Inserts three sites. Site 1 (`alpha`, alpha.example; en, de) has categories `news` (en, de) and `city` below it,
 * authors `jane` and `gone` (inactive), articles a1 to a6, published on 2 to 7 January 2026, two articles in German, and
 * articles that are not visible. Site 2 has the acronym `1042`; site 3 is inactive.
 */
export async function fillNewsroom(fixture: Fixture): Promise<void> {
  const { insert, sql } = fixture
  await fillSites(fixture)
  await insert('images', {
    site_id: 1,
    key: 'a/b c.jpg',
    alt: 'A',
    width: 8,
    height: 6,
    mime_type: 'image/jpeg',
    variants: '[{"key":"a/b-480.webp","width":480}]',
  })
  await insert('categories', { site_id: 1, slug: 'news', language: 'en', name: 'News' })
  await insert('categories', { site_id: 1, slug: 'news', language: 'de', name: 'Nachrichten' })
  await insert('categories', {
    site_id: 1,
    slug: 'city',
    language: 'en',
    name: 'City',
    parent_id: 1,
  })
  await insert('authors', {
    site_id: 1,
    slug: 'jane',
    name: 'Jane Doe',
    job_title: 'Editor',
    bio_html: '<p>Writes &amp; <script>alert(1)</script>reads.</p>',
    image_id: 1,
    website_url: 'https://jane.example/',
    social_links: ['https://social.example/@jane'],
    expertise: ['Ports'],
  })
  await insert('authors', { site_id: 1, slug: 'gone', name: 'Gone', active: false })
  for (const slug of ['sea', 'storm', 'tram'])
    await insert('tags', { site_id: 1, slug, language: 'en', name: slug })
  await fillArticles(fixture)
  await sql('INSERT INTO article_tags VALUES (1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (4, 3)')
  await sql(
    'INSERT INTO article_scores (article_id, site_id, score) VALUES (1, 1, 10), (2, 1, 30), (3, 1, 10)',
  )
  await sql(
    `INSERT INTO article_versions (article_id, version, snapshot) VALUES
      (1, 1, '{"title": "Old title", "slug": "stolen", "id": 99, "status": "draft", "category_id": null, "body_html": "<p onclick=x()>Old</p>"}')`,
  )
}

async function fillSites({ insert, sql }: Fixture): Promise<void> {
  await insert('sites', {
    acronym: 'alpha',
    domain: 'alpha.example',
    name: 'Alpha',
    default_language: 'en',
  })
  await insert('sites', {
    acronym: '1042',
    domain: 'beta.example',
    name: 'Beta',
    default_language: 'en',
  })
  await insert('sites', {
    acronym: 'closed',
    domain: 'closed.example',
    name: 'Closed',
    default_language: 'en',
    active: false,
  })
  await insert('site_languages', {
    site_id: 1,
    code: 'en',
    name: 'English',
    labels: '{"read_more":"Read on"}',
  })
  await insert('site_languages', { site_id: 1, code: 'de', name: 'Deutsch', position: 1 })
  await sql(
    `UPDATE global_settings SET title = 'Global title', tagline = 'Global tagline', css_slug = 'base', css_version = '1.0', articles_per_page = 10, publisher_name = 'Press', active_template = 'plain', robots_txt = 'User-agent: *'`,
  )
  await insert('site_settings', { site_id: 1, title: 'Alpha title', active_template: 'harbour' })
  await insert('template_elements', {
    key: 'home',
    type: 'layout',
    title: 'Home',
    source: 'element',
  })
  await insert('template_elements', {
    key: 'about',
    type: 'page',
    title: 'About',
    source: 'element',
  })
  await insert('template_elements', {
    key: 'card',
    type: 'partial',
    title: 'Card',
    source: 'element',
  })
  await insert('template_blocks', { element_id: 1, theme: 'harbour', source: 'block' })
  await insert('template_blocks', { element_id: 3, theme: 'harbour', source: 'block' })
  await insert('template_blocks', { element_id: 2, theme: 'plain', source: 'another theme' })
  await insert('template_overrides', { element_id: 1, site_id: 1, source: 'override' })
  await insert('template_overrides', {
    element_id: 2,
    site_id: 1,
    language: 'de',
    source: 'Über uns',
  })
  for (const [path, label] of [
    ['/', 'Home'],
    ['/about', 'About'],
    ['/category/news', 'News'],
    ['/card', 'Card'],
    ['https://elsewhere.example/', 'Elsewhere'],
  ])
    await insert('navigation_items', { site_id: 1, area: 'header', label, path })
  await insert('navigation_items', {
    site_id: 1,
    area: 'footer',
    label: 'Über uns',
    path: '/about',
    language: 'de',
  })
}

async function fillArticles(fixture: Fixture): Promise<void> {
  const article = (columns: Columns) => insertArticle(fixture, columns)
  const jane = { author_id: 1, image_id: 1 }
  await article({
    ...jane,
    slug: 'a1',
    category_id: 1,
    published_at: day(1),
    is_featured: true,
    translation_group: TRANSLATION_GROUP,
    body_html:
      '<p>Hi <a href="javascript:x()">you</a><img src="https://img.example/x.png" onerror="x()"><iframe src="/x"></iframe></p>',
  })
  await article({
    ...jane,
    slug: 'a2',
    category_id: 1,
    published_at: day(2),
    show_in_homepage: true,
    description: '100% of a_b \\ c',
  })
  await article({
    slug: 'a3',
    author_id: 2,
    category_id: 3,
    published_at: day(3),
    show_in_homepage: true,
    homepage_position: 2,
  })
  await article({
    slug: 'a4',
    category_id: 1,
    published_at: day(4),
    show_in_homepage: true,
    homepage_position: 1,
  })
  await article({ slug: 'a5', published_at: day(5), is_featured: true, show_in_homepage: true })
  await article({ slug: 'a6', published_at: day(6) })
  await article({
    slug: 'a1',
    language: 'de',
    category_id: 2,
    published_at: day(1),
    translation_group: TRANSLATION_GROUP,
  })
  await article({ slug: 'nur-deutsch', language: 'de', category_id: 2, published_at: day(2) })
  await article({ slug: 'draft', status: 'draft', published_at: day(1) })
  await article({ slug: 'withdrawn', status: 'unpublished', published_at: day(1) })
  await article({ slug: 'scheduled', published_at: new Date(Date.now() + DAY) })
  await article({ slug: 'advert', content_type: 'advertisement', published_at: day(1) })
  await article({ site_id: 2, slug: 'b1', published_at: day(1), show_in_homepage: true })
}

const TRANSLATION_GROUP = '00000000-0000-4000-8000-000000000001'
