import { ArticlePage, ArticleParameters } from '../../contract/article.ts'
import { LanguageCode, Slug } from '../../contract/primitives.ts'
import { toArticlePath } from '../content/paths.ts'
import type { Query } from '../database.ts'
import { defineEndpoint, type EndpointResult, type ReadRequest } from '../endpoint.ts'
import type { ReportOmission } from '../omissions/source-row.ts'
import { notFound } from '../problem.ts'
import { toNextChangeHeader } from '../site/next-change.ts'
import { toArticlePage } from './article.ts'
import { type ArticleKey, readArticle, readLanguages } from './queries.ts'
import { readRedirect } from './redirects.ts'
import { readRelated } from './related.ts'

type PageRequest = ReadRequest<ArticleParameters>

export const createPageEndpoint = (query: Query) =>
  defineEndpoint({
    policy: 'page',
    path: '/pages/:slug',
    summary: 'One article with all data of its page',
    parameters: ArticleParameters,
    response: ArticlePage,
    requiresPreviewSecret: ({ version }) => version !== undefined,
    read: async (request) => {
      const key = toKey(request)
      const row = Slug.safeParse(key.slug).success ? await readArticle(query, key) : undefined
      if (!row) return toOtherLanguages(query, key, request.report)
      const related = await readRelated(query, row, key.site, request.parameters.related_limit)
      const version = key.version ?? null
      const parts = { site: key.site, version, related, report: request.report }
      return { type: 'value', value: toArticlePage(row, parts) }
    },
  })

function toKey({ site, slug, parameters, isPreview }: PageRequest): ArticleKey {
  const { language, version } = parameters
  return { site, slug, language, version, includesUnpublished: isPreview }
}

/**
 * Returns the paths of the slug in other languages.
 * @throws ApiError resource_not_found when there are none, with the redirect of the path if it has one
 */
async function toOtherLanguages(
  query: Query,
  key: ArticleKey,
  report: ReportOmission,
): Promise<EndpointResult<never>> {
  const { site, slug, language, version } = key
  const needsLanguages =
    language !== undefined && version === undefined && Slug.safeParse(slug).success
  const rows = needsLanguages ? await readLanguages(query, { site, slug }) : []
  const languages = rows.filter(({ language }) => LanguageCode.safeParse(language).success)
  if (languages.length === 0) {
    const redirect = await readRedirect(query, key, report)
    // A scheduled article may have this slug, so a 404 has the header CMS-Next-Change, too.
    throw notFound('No visible article has this slug.', redirect, toNextChangeHeader(site))
  }
  const alternates = languages.map(({ language }) => ({
    language,
    path: toArticlePath(slug, language, site),
  }))
  return { type: 'otherLanguages', alternates }
}
