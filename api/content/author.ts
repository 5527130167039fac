import type { AuthorSlice } from '../../contract/author.ts'
import { withSourceRow } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'
import { limitText } from '../sql.ts'
import { type AuthorRow, toAuthorCard } from './card.ts'
import { toImageJson } from './image.ts'
import { sanitiseRichText } from './rich-text.ts'

/** An author with all columns that the API returns. */
export interface AuthorDetailRow extends AuthorRow {
  bio_html: string | null
  website_url: string | null
  social_links: string[] | null
  expertise: string[] | null
}

/** SQL expression: an `AuthorDetailRow` as JSON. The statement joins the tables `author` and `author_image`. */
export const AUTHOR_DETAIL_JSON = `json_build_object('id', author.id, 'slug', ${limitText('author.slug', 'name')},
    'name', ${limitText('author.name', 'name')}, 'job_title', ${limitText('author.job_title', 'name')},
    'image', ${toImageJson('author_image')}, 'bio_html', ${limitText('author.bio_html', 'document')},
    'website_url', ${limitText('author.website_url', 'line')}, 'social_links', author.social_links,
    'expertise', author.expertise)`

/** Returns all data of an author. The path is that of the author's page in `language`. */
export const toAuthorSlice = (
  row: AuthorDetailRow,
  language: string,
  site: SiteState,
): AuthorSlice =>
  withSourceRow('authors', row.id, {
    ...toAuthorCard(row, language, site),
    bio_html: row.bio_html === null ? null : sanitiseRichText(row.bio_html),
    website_url: row.website_url,
    social_links: row.social_links ?? [],
    expertise: row.expertise ?? [],
  })
