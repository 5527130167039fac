/** The last of the migrations that this release is written against. */
export const NEWEST_MIGRATION = '20261122030000_template_publications'
