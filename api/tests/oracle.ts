import { ARTICLE_CONTENT_TYPES, type ArticlePage } from '../../contract/article.ts'
import type { ListItem } from '../../contract/list.ts'
import type { SitemapUrl } from '../../contract/sitemap.ts'
import type { Image, Prisma, PrismaClient } from '../../prisma/generated/client.ts'
import { type CardRow, type CategoryRow, toListItem } from '../content/card.ts'
import type { ImageRow } from '../content/image.ts'
import { toArticlePath } from '../content/paths.ts'
import { toArticlePage } from '../pages/article.ts'
import type { SiteState } from '../site/resolve.ts'

/**
 * Creates functions that compute the API's responses with Prisma, without the API's SQL, for tests and for the
 * benchmark bench/peers/api-baselines.ts.
 */
export function createOracle(prisma: PrismaClient, site: SiteState) {
  const visible: Prisma.ArticleWhereInput = {
    siteId: site.id,
    status: 'published',
    publishedAt: { lte: site.now },
    contentType: { in: [...ARTICLE_CONTENT_TYPES] },
  }
  const read = async (
    where: Prisma.ArticleWhereInput,
    orderBefore: Order[] = [],
    take?: number,
  ): Promise<ListItem[]> => {
    const orderBy = [...orderBefore, ...NEWEST_FIRST]
    const records = await prisma.article.findMany({
      where: { AND: [visible, where] },
      orderBy,
      include,
      ...(take && { take }),
    })
    return records.map((record) => toListItem(toCard(record), site))
  }
  return {
    recent: (where: Prisma.ArticleWhereInput = {}, take?: number) => read(where, [], take),
    featured: () => read({ isFeatured: true }),
    category: (slug: string) => read({ category: { slug } }),
    author: (slug: string) => read({ author: { slug } }),
    search: (q: string) => read({ OR: [{ title: toContains(q) }, { description: toContains(q) }] }),
    homepage: () =>
      read({ showInHomepage: true }, [{ homepagePosition: { sort: 'asc', nulls: 'last' } }]),
    trending: () => read({ score: { isNot: null } }, [{ score: { score: 'desc' } }]),
    related,
    page,
    sitemap,
  }

  async function related(slug: string, language: string): Promise<ListItem[]> {
    const article = await find(slug, language)
    const records = await prisma.article.findMany({
      where: { AND: [visible, { language, id: { not: article.id } }] },
      orderBy: NEWEST_FIRST,
      include,
    })
    const ownTags = new Set(article.tags.map(({ tagId }) => tagId))
    const rankOf = (record: ArticleRecord): number =>
      2 * record.tags.filter(({ tagId }) => ownTags.has(tagId)).length +
      (article.categoryId !== null && record.categoryId === article.categoryId ? 1 : 0)
    return records
      .filter((record) => rankOf(record) > 0)
      .sort((one, other) => rankOf(other) - rankOf(one))
      .map((record) => toListItem(toCard(record), site))
  }

  async function page(slug: string, language: string, limit = 6): Promise<ArticlePage> {
    const article = await find(slug, language)
    const { translationGroup, author, tags, seoImage } = article
    const translations = await prisma.article.findMany({
      where: { AND: [visible, { translationGroup }] },
      orderBy: { language: 'asc' },
    })
    const row = {
      ...toCard(article),
      subtitle: article.subtitle,
      body_html: article.bodyHtml,
      created_at: article.createdAt,
      show_in_homepage: article.showInHomepage,
      category_id: article.categoryId,
      seo_title: article.seoTitle,
      seo_description: article.seoDescription,
      seo_canonical_url: article.seoCanonicalUrl,
      seo_robots: article.seoRobots,
      seo_image: seoImage && toImageRow(seoImage),
      author: author?.active ? toByline(author) : null,
      categories: await toAncestors(article.categoryId),
      tags: tags.map(({ tag }) => tag).sort((one, other) => (one.slug < other.slug ? -1 : 1)),
      alternates: translations,
    }
    const others = limit > 0 ? (await related(slug, language)).slice(0, limit) : []
    return toArticlePage(row, { site, version: null, related: others, report: () => {} })
  }

  async function toAncestors(id: number | null): Promise<CategoryRow[]> {
    if (id === null) return []
    const category = await prisma.category.findUniqueOrThrow({ where: { id } })
    return [...(await toAncestors(category.parentId)), category]
  }

  async function sitemap(): Promise<SitemapUrl[]> {
    const records = await prisma.article.findMany({
      where: { AND: [visible, { OR: [{ isFeatured: true }, { showInHomepage: true }] }] },
      orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    })
    return records.map(({ id, slug, language, publishedAt, updatedAt }) => ({
      id,
      path: toArticlePath(slug, language, site),
      language,
      published_at: publishedAt?.toISOString() ?? '',
      updated_at: updatedAt.toISOString(),
    }))
  }

  function find(slug: string, language: string) {
    return prisma.article.findFirstOrThrow({
      where: { AND: [visible, { slug, language }] },
      include: { ...include, seoImage: true },
    })
  }
}

type Order = Prisma.ArticleOrderByWithRelationInput
const NEWEST_FIRST: Order[] = [{ publishedAt: 'desc' }, { id: 'desc' }]

const include = {
  image: true,
  category: true,
  author: { include: { image: true } },
  tags: { include: { tag: true } },
} satisfies Prisma.ArticleInclude
type ArticleRecord = Prisma.ArticleGetPayload<{ include: typeof include }>
type AuthorRecord = NonNullable<ArticleRecord['author']>

// Prisma does not escape the wildcards of LIKE.
const toContains = (text: string) =>
  ({ contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' }) as const

const toImageRow = ({ mimeType, ...image }: Image): ImageRow => ({ ...image, mime_type: mimeType })

const toByline = (author: AuthorRecord) => ({
  ...author,
  job_title: author.jobTitle,
  bio_html: author.bioHtml,
  website_url: author.websiteUrl,
  social_links: author.socialLinks,
  image: author.image && toImageRow(author.image),
})

const toCard = (record: ArticleRecord): CardRow => ({
  ...record,
  content_type: record.contentType,
  published_at: record.publishedAt ?? new Date(Number.NaN),
  updated_at: record.updatedAt,
  word_count: record.wordCount,
  is_featured: record.isFeatured,
  image: record.image && toImageRow(record.image),
  author: record.author?.active ? toByline(record.author) : null,
})
