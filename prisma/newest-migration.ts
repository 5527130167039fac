/** Newest migration in the folder; the read API is ready only when it is applied. */
export const NEWEST_MIGRATION = '20261122030000_template_publications'
