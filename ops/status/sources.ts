import { environments } from '../../infra/environments.ts'
import { readVariables } from '../lib/environment.ts'

/** Addresses and credentials of the sources that `npm run status` reads. */
export interface StatusSources {
  /** Address of the site worker. */
  url: URL
  /** Secret of the site worker. With it, the read API also returns unpublished articles. */
  secret: string
  /** Base URL of the read API without a slash at the end, and its key. */
  apiBaseUrl: string
  apiKey: string
  /** Id, acronym or domain of the site. */
  site: string
  /** PostgreSQL; undefined if the operator cannot connect to it. */
  databaseUrl: string | undefined
}

/**
 * Reads the addresses and credentials of an environment.
 * @throws Error that names the missing variable
 */
export async function readSources(environment: string): Promise<StatusSources> {
  const { find, getRequired } = await readVariables(environment)
  const declared = Object.entries(environments).find(([name]) => name === environment)?.[1]
  const backend =
    declared?.worker === 'site' && declared.backend !== 'own' ? declared.backend : undefined
  // The canary uses the database of another environment.
  const shared = backend ? await readVariables(backend) : undefined
  return {
    url: new URL(getRequired('URL')),
    secret: getRequired('ADMIN_PURGE_SECRET'),
    apiBaseUrl: getRequired('CMS_API_BASE_URL').replace(/\/$/, ''),
    apiKey: getRequired('CMS_API_KEY'),
    site: getRequired('CMS_SITE_ID'),
    databaseUrl: find('DATABASE_URL') ?? shared?.find('DATABASE_URL'),
  }
}
