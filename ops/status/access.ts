import { environments } from '../../infra/environments.ts'
import { readVariables } from '../lib/environment.ts'

/** How the sources of a site environment are reached. */
export interface Access {
  /** Of the site worker. */
  url: URL
  /** The worker's secret, with which the read API shows unpublished articles too. */
  secret: string
  /** Base URL of the read API without a slash at the end, and its key. */
  apiBaseUrl: string
  apiKey: string
  /** Id, acronym or domain. */
  site: string
  /** PostgreSQL; undefined where an operator cannot reach it. */
  databaseUrl: string | undefined
}

/** @throws Error that names the variable that is missing */
export async function readAccess(environment: string): Promise<Access> {
  const { find, need } = await readVariables(environment)
  const declared = Object.entries(environments).find(([name]) => name === environment)?.[1]
  const backend = declared?.worker === 'site' && declared.backend !== 'own' ? declared.backend : ''
  const shared = backend ? await readVariables(backend) : undefined
  return {
    url: new URL(need('URL')),
    secret: need('ADMIN_PURGE_SECRET'),
    apiBaseUrl: need('CMS_API_BASE_URL').replace(/\/$/, ''),
    apiKey: need('CMS_API_KEY'),
    site: need('CMS_SITE_ID'),
    databaseUrl: find('DATABASE_URL') ?? shared?.find('DATABASE_URL'),
  }
}
