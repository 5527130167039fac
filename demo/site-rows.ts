import type { Ids, Row, Rows } from '../prisma/rows.ts'
import { toImageRow } from './image-rows.ts'
import type { Newsroom } from './newsroom.ts'

/** Ids of the rows that articles refer to. The functions throw an Error for an unknown slug. */
export interface RowIds {
  siteId: number
  categoryId(slug: string, language: string): number
  tagId(slug: string, language: string): number
  authorId(slug: string): number
}

interface SiteRowsSettings {
  domain: string
  cssVersion: string | undefined
  createdAt: Date
}

/** Returns all rows of a site except its articles. */
export function toSiteRows(newsroom: Newsroom, ids: Ids, options: SiteRowsSettings) {
  const siteId = ids.next('sites')
  const brand = toBrandImages(newsroom, siteId, ids)
  const portraits = newsroom.authors.map((author) => toPortrait(newsroom, author, siteId, ids))
  const categories = toCategoryRows(newsroom, siteId, ids)
  const tags = toTagRows(newsroom, siteId, ids)
  const authors = newsroom.authors.map((author, index) => ({
    id: ids.next('authors'),
    site_id: siteId,
    slug: author.slug,
    name: author.name,
    job_title: author.job_title,
    bio_html: `<p>${author.bio.trim()}</p>`,
    image_id: portraits[index]?.id,
    website_url: author.website_url ?? null,
    social_links: author.social_links,
    expertise: author.expertise,
    active: author.active,
  }))
  const rows: Rows = {
    sites: [toSiteRow(newsroom, siteId, options)],
    images: [brand.logo, brand.social, ...portraits],
    site_settings: [toSettingsRow(newsroom, siteId, brand, options.cssVersion)],
    site_languages: newsroom.languages.map((language, position) => ({
      ...language,
      site_id: siteId,
      direction: 'ltr',
      position,
    })),
    navigation_items: toNavigationRows(newsroom, siteId, ids),
    categories,
    tags,
    authors,
  }
  const rowIds: RowIds = {
    siteId,
    categoryId: createFinder(categories, 'category'),
    tagId: createFinder(tags, 'tag'),
    authorId: createFinder(authors, 'author'),
  }
  return { rows, rowIds }
}

function toSiteRow({ site }: Newsroom, id: number, { domain, createdAt }: SiteRowsSettings): Row {
  return { ...site, id, domain: domain.toLowerCase(), created_at: createdAt }
}

function toSettingsRow(
  { site, settings }: Newsroom,
  siteId: number,
  brand: { logo: Row; social: Row },
  cssVersion: string | undefined,
): Row {
  return {
    ...settings,
    ...(cssVersion === undefined ? {} : { css_version: cssVersion }),
    site_id: siteId,
    logo_id: brand.logo.id,
    social_image_id: brand.social.id,
    icon_url: `/cmp-media/brand/${site.acronym}/icon.png`,
  }
}

function toBrandImages({ site }: Newsroom, siteId: number, ids: Ids) {
  const folder = `brand/${site.acronym}`
  const image = (file: object) => ({
    id: ids.next('images'),
    site_id: siteId,
    alt: site.name,
    ...file,
  })
  const noTexts = { caption: null, credit: null, variants: [] }
  return {
    logo: image({
      key: `${folder}/logo.svg`,
      width: 600,
      height: 120,
      mime_type: 'image/svg+xml',
      ...noTexts,
    }),
    social: image({
      key: `${folder}/social.jpg`,
      width: 1200,
      height: 630,
      mime_type: 'image/jpeg',
      ...noTexts,
    }),
  }
}

function toPortrait(
  { site }: Newsroom,
  { slug, name }: Newsroom['authors'][number],
  siteId: number,
  ids: Ids,
): Row {
  const key = `authors/${site.acronym}/${slug}`
  return toImageRow(ids.next('images'), siteId, { key, kind: 'portrait', alt: name })
}

function toNavigationRows({ navigation, languages }: Newsroom, siteId: number, ids: Ids): Row[] {
  return navigation.flatMap(({ area, path, labels }, position) =>
    languages.flatMap(({ code }) => {
      const label = labels[code]
      if (label === undefined) return []
      return [
        {
          id: ids.next('navigation_items'),
          site_id: siteId,
          area,
          label,
          path,
          language: code,
          position,
        },
      ]
    }),
  )
}

function toCategoryRows({ categories }: Newsroom, siteId: number, ids: Ids) {
  const rows = categories.flatMap(({ slug, names, descriptions }, position) =>
    Object.entries(names).map(([language, name]) => ({
      id: ids.next('categories'),
      site_id: siteId,
      slug,
      language,
      name,
      description: descriptions[language] ?? null,
      position,
    })),
  )
  const find = createFinder(rows, 'category')
  const parents = new Map(categories.map(({ slug, parent }) => [slug, parent]))
  return rows.map((row) => {
    const parent = parents.get(row.slug)
    return { ...row, parent_id: parent === undefined ? null : find(parent, row.language) }
  })
}

function toTagRows({ articles, tag_names, languages }: Newsroom, siteId: number, ids: Ids) {
  const slugs = [...new Set(articles.flatMap(({ tags }) => tags))].sort()
  return slugs.flatMap((slug) =>
    languages.map(({ code }) => ({
      id: ids.next('tags'),
      site_id: siteId,
      slug,
      language: code,
      name: tag_names[slug]?.[code] ?? toName(slug),
    })),
  )
}

function toName(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function createFinder(rows: { id: number; slug: string; language?: string }[], noun: string) {
  const byKey = new Map(rows.map((row) => [`${row.slug} ${row.language}`, row.id]))
  return (slug: string, language?: string): number => {
    const id = byKey.get(`${slug} ${language}`)
    if (id === undefined)
      throw new Error(`site.yaml has no ${noun} "${slug}"${language ? ` in "${language}"` : ''}`)
    return id
  }
}
