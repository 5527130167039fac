import type { AuthorSlice } from '../../contract/author.ts'
import type { SiteState } from '../site/resolve.ts'
import { type AuthorRow, toAuthorCard } from './card.ts'
import { sanitiseRichText } from './rich-text.ts'

/** An author with the biography. */
export interface BylineRow extends AuthorRow {
  bio_html: string | null
  website_url: string | null
  social_links: string[]
  expertise: string[]
}

export const toAuthorSlice = (row: BylineRow, language: string, site: SiteState): AuthorSlice => ({
  ...toAuthorCard(row, language, site),
  bio_html: row.bio_html === null ? null : sanitiseRichText(row.bio_html),
  website_url: row.website_url,
  social_links: row.social_links,
  expertise: row.expertise,
})
