import type { ArticlePage, Breadcrumb } from '../../contract/article.ts'
import type { ListItem } from '../../contract/list.ts'
import { Line, Slug } from '../../contract/primitives.ts'
import { toAuthorSlice } from '../content/author.ts'
import { toCategoryRef, toReadingTime } from '../content/card.ts'
import { toImage } from '../content/image.ts'
import { toInstant } from '../content/instant.ts'
import { toArticlePath, toHomePath } from '../content/paths.ts'
import { sanitiseRichText } from '../content/rich-text.ts'
import { parseOrReport } from '../omissions/repair.ts'
import { type ReportOmission, withSourceRow } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'
import type { ArticleRow } from './queries.ts'

interface PageParts {
  site: SiteState
  version: number | null
  related: ListItem[]
  report: ReportOmission
}

export function toArticlePage(
  row: ArticleRow,
  { site, version, related, report }: PageParts,
): ArticlePage {
  const image = toImage(row.image)
  // The field is required, so an invalid value is replaced by the title instead of null.
  const omission = { table: 'articles', id: row.id, field: 'seo_title' }
  const seoTitle = parseOrReport(Line, row.seo_title, omission, report)
  return withSourceRow('articles', row.id, {
    id: row.id,
    site_id: site.id,
    slug: row.slug,
    language: row.language,
    path: toArticlePath(row.slug, row.language, site),
    content_type: row.content_type,
    version,
    title: row.title,
    subtitle: row.subtitle,
    description: row.description,
    body_html: sanitiseRichText(row.body_html),
    word_count: row.word_count,
    reading_time_minutes: toReadingTime(row.word_count),
    published_at: row.published_at && toInstant(row.published_at),
    updated_at: toInstant(row.updated_at),
    created_at: toInstant(row.created_at),
    is_featured: row.is_featured,
    show_in_homepage: row.show_in_homepage,
    image,
    category: row.category && toCategoryRef(row.category, site),
    tags: (row.tags ?? []).map(({ id, slug, name }) => withSourceRow('tags', id, { slug, name })),
    author: row.author && toAuthorSlice(row.author, row.language, site),
    seo_title: seoTitle ?? row.title,
    seo_description: row.seo_description ?? row.description,
    seo_canonical_url: row.seo_canonical_url,
    seo_robots: row.seo_robots,
    seo_image: toImage(row.seo_image) ?? image,
    breadcrumbs: toBreadcrumbs(row, site),
    alternates: (row.alternates ?? []).map(({ id, slug, language }) =>
      withSourceRow('articles', id, { language, slug, path: toArticlePath(slug, language, site) }),
    ),
    related,
  })
}

function toBreadcrumbs(row: ArticleRow, site: SiteState): Breadcrumb[] {
  const { language, slug, title } = row
  // A path with an invalid slug can still match the contract, so `repair` would not remove it.
  const categories = (row.categories ?? []).filter(({ slug }) => Slug.safeParse(slug).success)
  return [
    { name: site.name, path: toHomePath(language, site) },
    ...categories.map((category) => {
      const { name, path } = toCategoryRef(category, site)
      return withSourceRow('categories', category.id, { name, path })
    }),
    { name: title, path: toArticlePath(slug, language, site) },
  ]
}
