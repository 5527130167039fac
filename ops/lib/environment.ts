import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'

/** Variables of the local cloud, relative to the working folder. */
export const LOCAL_FILE = '.local/env'

/** Address of a site worker and the secret of its admin endpoints. */
export interface SiteAccess {
  url: URL
  secret: string
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads address and secret of a site environment: `SITE_STAGE_URL` and `SITE_STAGE_ADMIN_PURGE_SECRET` for
 * `site-stage`, from the variables of the process, or else from `.local/env`, which the local cloud writes.
 * @throws Error that names the missing variable
 */
export async function readSiteAccess(
  environment: string,
  variables: Variables = process.env,
): Promise<SiteAccess> {
  const site = await readVariables(environment, variables)
  return { url: new URL(site.getRequired('URL')), secret: site.getRequired('ADMIN_PURGE_SECRET') }
}

/**
 * Returns functions that look up a variable of an environment by its name without the prefix: for
 * `site-stage`, `URL` is `SITE_STAGE_URL`. `getRequired` throws when the variable is missing.
 */
export async function readVariables(environment: string, variables: Variables = process.env) {
  const prefix = environment.toUpperCase().replaceAll('-', '_')
  const local = parseEnv(await readFile(LOCAL_FILE, 'utf8').catch(() => ''))
  const find = (name: string) => variables[`${prefix}_${name}`] ?? local[`${prefix}_${name}`]
  const getRequired = (name: string): string => {
    const value = find(name)
    if (value) return value
    throw new Error(`Set ${prefix}_${name}, or start the local cloud, which writes ${LOCAL_FILE}.`)
  }
  return { find, getRequired }
}
