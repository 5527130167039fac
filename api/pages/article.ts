import type { ArticlePage, Breadcrumb } from '../../contract/article.ts'
import type { ListItem } from '../../contract/list.ts'
import { toAuthorSlice } from '../content/author.ts'
import { toCategoryRef, toReadingTime } from '../content/card.ts'
import { toImage } from '../content/image.ts'
import { toArticlePath, toHomePath } from '../content/paths.ts'
import { sanitiseRichText } from '../content/rich-text.ts'
import type { SiteState } from '../site/resolve.ts'
import type { ArticleRow } from './queries.ts'

interface Surroundings {
  site: SiteState
  version: number | null
  related: ListItem[]
}

export function toArticlePage(
  row: ArticleRow,
  { site, version, related }: Surroundings,
): ArticlePage {
  const image = toImage(row.image)
  return {
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
    published_at: row.published_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
    created_at: row.created_at.toISOString(),
    is_featured: row.is_featured,
    show_in_homepage: row.show_in_homepage,
    image,
    category: row.category && toCategoryRef(row.category, site),
    tags: (row.tags ?? []).map(({ slug, name }) => ({ slug, name })),
    author: row.author && toAuthorSlice(row.author, row.language, site),
    seo_title: row.seo_title ?? row.title,
    seo_description: row.seo_description ?? row.description,
    seo_canonical_url: row.seo_canonical_url,
    seo_robots: row.seo_robots,
    seo_image: toImage(row.seo_image) ?? image,
    breadcrumbs: toBreadcrumbs(row, site),
    alternates: (row.alternates ?? []).map(({ slug, language }) => ({
      language,
      slug,
      path: toArticlePath(slug, language, site),
    })),
    related,
  }
}

function toBreadcrumbs(row: ArticleRow, site: SiteState): Breadcrumb[] {
  const { language, slug, title } = row
  const categories = (row.categories ?? []).map((category) => toCategoryRef(category, site))
  return [
    { name: site.name, path: toHomePath(language, site) },
    ...categories.map(({ name, path }) => ({ name, path })),
    { name: title, path: toArticlePath(slug, language, site) },
  ]
}
