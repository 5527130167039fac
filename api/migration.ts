import * as z from 'zod/mini'
import { LanguageCode } from '../contract/primitives.ts'
import { importDemo } from '../demo/import-demo.ts'
import { NEWSROOMS } from '../demo/newsroom.ts'
import { migrate } from '../prisma/migrate.ts'
import { createSite } from '../themes/create-site.ts'
import type { LiveTheme } from '../themes/live-theme.ts'
import {
  type PublicationOutcome,
  PublishTheme,
  publishTheme,
  ReadTheme,
  RollBackTheme,
  readTheme,
  rollBackTheme,
} from '../themes/publication.ts'

const Role = z.object({ DATABASE_USER: z.string() })
const UrlAddress = z.object({ DATABASE_URL: z.string() })
const AdminAddress = z.object({
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

/** What the migration Lambda can be asked to do. */
export const MigrationEvent = z.discriminatedUnion('action', [
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
    acronym: z.enum(NEWSROOMS),
    domain: z.optional(Domain),
  }),
  ReadTheme,
  PublishTheme,
  RollBackTheme,
])
type MigrationEvent = z.infer<typeof MigrationEvent>

const { localeError: describe } = z.locales.en()

type Outcome =
  | { applied: string[] }
  | { siteId: number }
  | { articles: number }
  | LiveTheme
  | PublicationOutcome

/**
 * The migration Lambda: does what the event's `action` names and gives what it did.
 * Throws on an unknown event and on what fails, so that the update that invoked it fails too.
 */
export function createMigrationHandler(variables: Record<string, string | undefined>) {
  const { DATABASE_USER: reader } = Role.parse(variables)
  const databaseUrl = toOwnerUrl(variables)
  return async (input: unknown): Promise<Outcome> => {
    const { success, data, error } = MigrationEvent.safeParse(input, { error: describe })
    if (!success) throw new Error(`The event is not understood:\n${z.prettifyError(error)}`)
    return act(data, databaseUrl, reader)
  }
}

async function act(event: MigrationEvent, databaseUrl: string, reader: string): Promise<Outcome> {
  switch (event.action) {
    case 'migrate':
      return { applied: await migrate(databaseUrl, { reader }) }
    case 'create-site': {
      const { action: _, default_language: defaultLanguage, ...site } = event
      return createSite(databaseUrl, { ...site, defaultLanguage })
    }
    case 'import-demo':
      return importDemo(databaseUrl, event)
    case 'read-theme':
      return readTheme(databaseUrl)
    case 'publish-theme':
      return publishTheme(databaseUrl, event)
    case 'rollback-theme':
      return rollBackTheme(databaseUrl, event)
    default:
      event satisfies never
      throw new Error('unreachable')
  }
}

function toOwnerUrl(variables: Record<string, string | undefined>): string {
  if (variables.DATABASE_HOST === undefined) return UrlAddress.parse(variables).DATABASE_URL
  const address = AdminAddress.parse(variables)
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
