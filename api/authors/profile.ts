import type { AuthorProfile, AuthorSlice, PersonSeo } from '../../contract/author.ts'
import { type AuthorDetailRow, toAuthorSlice } from '../content/author.ts'
import { toInstant } from '../content/instant.ts'
import { toPlainText } from '../content/rich-text.ts'
import type { SiteState } from '../site/resolve.ts'
import type { AuthorStats } from './queries.ts'

export function toAuthorProfile(
  row: AuthorDetailRow,
  stats: AuthorStats,
  site: SiteState,
): AuthorProfile {
  const author = toAuthorSlice(row, site.defaultLanguage, site)
  const description = toDescription(author)
  return {
    author,
    seo: {
      title: author.job_title ? `${author.name}, ${author.job_title}` : author.name,
      description,
      person: toPerson(author, description, site),
    },
    stats: {
      article_count: stats.count,
      latest_published_at: stats.latest && toInstant(stats.latest),
    },
  }
}

const MAX_DESCRIPTION_LENGTH = 160

/**
 * Returns the biography as plain text of at most 160 characters, cut at a space if there is one; null if it is empty.
 */
function toDescription({ bio_html }: AuthorSlice): string | null {
  const text = toPlainText(bio_html ?? '')
  if (text === '') return null
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text
  const cut = text.lastIndexOf(' ', MAX_DESCRIPTION_LENGTH - 1)
  // A cut inside a word may leave half of a surrogate pair.
  return `${text.slice(0, cut > 0 ? cut : MAX_DESCRIPTION_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function toPerson(author: AuthorSlice, description: string | null, site: SiteState): PersonSeo {
  const origin = `https://${site.domain}`
  const toAbsolute = (url: string): string => URL.parse(url, origin)?.href ?? url
  // A value that matches the contract's URL pattern may still not parse.
  const links = [author.website_url, ...author.social_links].flatMap(
    (url) => (url && URL.parse(url, origin)?.href) || [],
  )
  return {
    '@context': 'https://schema.org',
    '@type': 'Person',
    name: author.name,
    url: toAbsolute(author.path),
    ...(author.job_title && { jobTitle: author.job_title }),
    ...(description && { description }),
    ...(author.image && { image: toAbsolute(author.image.url) }),
    ...(links.length > 0 && { sameAs: links }),
    ...(author.expertise.length > 0 && { knowsAbout: author.expertise }),
    worksFor: { '@type': 'NewsMediaOrganization', name: site.name, url: `${origin}/` },
  }
}
