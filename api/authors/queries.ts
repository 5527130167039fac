import { ARTICLE_CONTENT_TYPES } from '../../contract/article.ts'
import type { Prisma, PrismaClient } from '../../prisma/generated/client.ts'
import type { SiteState } from '../site/resolve.ts'

export type AuthorRecord = Prisma.AuthorGetPayload<{ include: { image: true } }>

/** An active author; null: there is none. */
export function readAuthor(
  prisma: PrismaClient,
  site: SiteState,
  slug: string,
): Promise<AuthorRecord | null> {
  return prisma.author.findFirst({
    where: { siteId: site.id, slug, active: true },
    include: { image: true },
  })
}

export interface AuthorStats {
  count: number
  latest: Date | null
}

/** What the author has published that can be seen now. */
export async function readAuthorStats(
  prisma: PrismaClient,
  site: SiteState,
  authorId: number,
): Promise<AuthorStats> {
  const { _count, _max } = await prisma.article.aggregate({
    where: {
      siteId: site.id,
      authorId,
      status: 'published',
      publishedAt: { lte: site.now },
      contentType: { in: [...ARTICLE_CONTENT_TYPES] },
    },
    _count: true,
    _max: { publishedAt: true },
  })
  return { count: _count, latest: _max.publishedAt }
}
