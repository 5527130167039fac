import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'

const LOCAL_FILE = '.local/env'

/** A site that an operator may speak to. */
export type SiteAccess = { url: URL; secret: string }

/**
 * Address and secret of a site environment: `SITE_STAGE_URL` and `SITE_STAGE_ADMIN_PURGE_SECRET` for `site-stage`,
 * from the process's environment, else from what the local cloud wrote.
 * @throws Error that names what is missing
 */
export async function readSiteAccess(
  environment: string,
  given: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SiteAccess> {
  const prefix = environment.toUpperCase().replaceAll('-', '_')
  const local = parseEnv(await readFile(LOCAL_FILE, 'utf8').catch(() => ''))
  const read = (name: string): string => {
    const value = given[`${prefix}_${name}`] ?? local[`${prefix}_${name}`]
    if (value) return value
    throw new Error(`Set ${prefix}_${name}, or start the local cloud, which writes ${LOCAL_FILE}.`)
  }
  return { url: new URL(read('URL')), secret: read('ADMIN_PURGE_SECRET') }
}
