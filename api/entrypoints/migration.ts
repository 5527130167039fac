import * as z from 'zod/mini'
import { LanguageCode } from '../../contract/primitives.ts'
import { withClient } from '../../prisma/connection.ts'
import { migrate } from '../../prisma/migrate.ts'

const RoleVariables = z.object({ DATABASE_USER: z.string() })
const UrlVariables = z.object({ DATABASE_URL: z.string() })
const HostVariables = z.object({
  DATABASE_HOST: z.string(),
  DATABASE_PORT: z.string(),
  DATABASE_NAME: z.string(),
  DATABASE_ADMIN_USER: z.string(),
  DATABASE_ADMIN_PASSWORD: z.string(),
})

const Acronym = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a short lower-case name'))
const Domain = z
  .string()
  .check(
    z.maxLength(253),
    z.regex(/^([a-z0-9-]{1,63}\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/, 'must be a host'),
  )
const Name = z.string().check(z.minLength(1), z.maxLength(200))

interface NewSite {
  acronym: string
  domain: string
  name: string
  defaultLanguage: string
  languages: readonly string[]
  timezone: string
  theme: string
}

/** Functions that write content to the database. `demoSites` are the acronyms of the demo's sites. */
export interface ContentLoaders<DemoSite extends string> {
  demoSites: readonly [DemoSite, ...DemoSite[]]
  createSite(databaseUrl: string, site: NewSite): Promise<{ siteId: number }>
  importDemo(
    databaseUrl: string,
    demo: { acronym: DemoSite; domain?: string | undefined },
  ): Promise<{ articles: number }>
}

/** Creates the schema of the events of the migration function. */
export const createEventSchema = <DemoSite extends string>(
  demoSites: ContentLoaders<DemoSite>['demoSites'],
) =>
  z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('migrate') }),
    z.strictObject({
      action: z.literal('create-site'),
      acronym: Acronym,
      domain: Domain,
      name: Name,
      default_language: LanguageCode,
      languages: z._default(z.array(LanguageCode).check(z.maxLength(50)), []),
      timezone: z._default(z.string().check(z.refine(isTimezone, 'must be an IANA zone')), 'UTC'),
      theme: z._default(Name, 'harbour'),
    }),
    z.strictObject({
      action: z.literal('import-demo'),
      acronym: z.enum(demoSites),
      domain: z.optional(Domain),
    }),
    // Run after a restore from a backup.
    z.strictObject({ action: z.literal('renew-restore-id') }),
  ])

const { localeError } = z.locales.en()

type Outcome =
  | { applied: string[] }
  | { siteId: number }
  | { articles: number }
  | { restoreId: string }

/**
 * Creates the handler of the migration function, which runs the event's `action` and returns its outcome. The handler
 * throws on an unknown event and on any failure, so that the `pulumi up` that invoked it fails too.
 * @throws Error when a variable is missing
 */
export function createMigrationHandler<DemoSite extends string>(
  variables: Record<string, string | undefined>,
  loaders: ContentLoaders<DemoSite>,
): (input: unknown) => Promise<Outcome> {
  const { DATABASE_USER: apiRole } = RoleVariables.parse(variables)
  const databaseUrl = toOwnerUrl(variables)
  const MigrationEvent = createEventSchema(loaders.demoSites)
  return async (input) => {
    const { success, data, error } = MigrationEvent.safeParse(input, { error: localeError })
    if (!success) throw new Error(`Invalid event:\n${z.prettifyError(error)}`)
    switch (data.action) {
      case 'migrate':
        return { applied: await migrate(databaseUrl, { apiRole }) }
      case 'create-site': {
        const { action: _, default_language: defaultLanguage, ...site } = data
        return loaders.createSite(databaseUrl, { ...site, defaultLanguage })
      }
      case 'import-demo':
        return loaders.importDemo(databaseUrl, data)
      case 'renew-restore-id':
        return { restoreId: await renewRestoreId(databaseUrl) }
      default:
        return data satisfies never
    }
  }
}

function renewRestoreId(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const text = 'SELECT renew_restore_id() AS id'
    const { rows } = await client.query<{ id: string }>(text)
    return z.array(z.object({ id: z.string() })).parse(rows)[0]?.id ?? ''
  })
}

/** Returns the URL of the database with the credentials of its owner. */
export function toOwnerUrl(variables: Record<string, string | undefined>): string {
  if (variables.DATABASE_HOST === undefined) return UrlVariables.parse(variables).DATABASE_URL
  const address = HostVariables.parse(variables)
  const { DATABASE_HOST, DATABASE_PORT, DATABASE_NAME } = address
  const url = new URL(`postgresql://${DATABASE_HOST}:${DATABASE_PORT}/${DATABASE_NAME}`)
  url.username = encodeURIComponent(address.DATABASE_ADMIN_USER)
  url.password = encodeURIComponent(address.DATABASE_ADMIN_PASSWORD)
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
