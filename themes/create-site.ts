import type pg from 'pg'
import { advanceSequences, insertRows, type Row, reserveIds } from '../prisma/rows.ts'
import { inTransaction } from '../prisma/transaction.ts'
import { listStylesheets, readTemplates } from './templates.ts'

export interface NewSite {
  acronym: string
  domain: string
  name: string
  defaultLanguage: string
  /** Codes of the site's languages; the default one may be omitted. */
  languages: readonly string[]
  /** IANA name of the time zone in which dates are shown. */
  timezone: string
  /** Theme of the site's templates and stylesheet. */
  theme: string
}

/**
 * Adds an active site without content, in one transaction: the site, its languages and its settings
 * with the theme's newest stylesheet. If the database has no templates, the defaults and those of all
 * themes are added, too. Returns the site's id.
 *
 * @throws Error when a site has the acronym or domain, and for a theme without a stylesheet
 */
export async function createSite(databaseUrl: string, site: NewSite): Promise<{ siteId: number }> {
  const stylesheet = await findStylesheet(site.theme)
  return inTransaction(databaseUrl, async (client) => {
    const ids = await reserveIds(client)
    await requireUnusedNames(client, site.acronym, site.domain)
    const { rowCount } = await client.query('SELECT FROM template_elements LIMIT 1')
    if (!rowCount) await insertRows(client, (await readTemplates(ids)).rows)
    const siteId = ids.next('sites')
    await insertRows(client, {
      sites: [toSiteRow(siteId, site)],
      site_settings: [
        {
          site_id: siteId,
          title: site.name,
          active_template: site.theme,
          css_slug: stylesheet.slug,
          css_version: stylesheet.version,
        },
      ],
      site_languages: toLanguageRows(siteId, site),
    })
    await advanceSequences(client)
    return { siteId }
  })
}

/** @throws Error when a site has this acronym or domain */
export async function requireUnusedNames(
  client: pg.Client,
  acronym: string,
  domain: string,
): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM sites WHERE acronym = $1 OR domain = lower($2)',
    [acronym, domain],
  )
  if (rowCount)
    throw new Error(`A site "${acronym}" or a site at ${domain} exists already. Choose another.`)
}

async function findStylesheet(theme: string) {
  const stylesheets = await listStylesheets()
  const newest = stylesheets.findLast(({ slug }) => slug === theme)
  if (newest) return newest
  const themes = [...new Set(stylesheets.map(({ slug }) => slug))]
  throw new Error(`There is no theme "${theme}". Choose one of ${themes.join(', ')}.`)
}

function toSiteRow(id: number, site: NewSite): Row {
  return {
    id,
    acronym: site.acronym.toLowerCase(),
    domain: site.domain.toLowerCase(),
    name: site.name,
    default_language: site.defaultLanguage,
    timezone: site.timezone,
    active: true,
    created_at: new Date(),
  }
}

function toLanguageRows(siteId: number, { defaultLanguage, languages }: NewSite): Row[] {
  return [...new Set([defaultLanguage, ...languages])].map((code, position) => ({
    site_id: siteId,
    code,
    name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
    direction: RIGHT_TO_LEFT.test(new Intl.Locale(code).maximize().script ?? '') ? 'rtl' : 'ltr',
    position,
    labels: {},
  }))
}

/** ISO 15924 codes of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/
