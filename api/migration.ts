import * as z from 'zod/mini'
import { migrate } from '../prisma/migrate.ts'

const Environment = z.object({
  DATABASE_HOST: z.string(),
  DATABASE_PORT: z.string(),
  DATABASE_NAME: z.string(),
  DATABASE_USER: z.string(),
  DATABASE_ADMIN_USER: z.string(),
  DATABASE_ADMIN_PASSWORD: z.string(),
})

const Event = z.discriminatedUnion('action', [z.strictObject({ action: z.literal('migrate') })])

/**
 * The migration Lambda: does what the event's `action` names and gives what it did.
 * Throws on an unknown event and on what fails, so that the update that invoked it fails too.
 */
export function createMigrationHandler(variables: Record<string, string | undefined>) {
  const environment = Environment.parse(variables)
  const databaseUrl = toOwnerUrl(environment)
  return async (input: unknown): Promise<{ applied: string[] }> => {
    const event = Event.parse(input)
    switch (event.action) {
      case 'migrate':
        return { applied: await migrate(databaseUrl, { reader: environment.DATABASE_USER }) }
      default:
        event.action satisfies never
        throw new Error('unreachable')
    }
  }
}

function toOwnerUrl(environment: z.infer<typeof Environment>): string {
  const { DATABASE_HOST, DATABASE_PORT, DATABASE_NAME } = environment
  const url = new URL(`postgresql://${DATABASE_HOST}:${DATABASE_PORT}/${DATABASE_NAME}`)
  url.username = encodeURIComponent(environment.DATABASE_ADMIN_USER)
  url.password = encodeURIComponent(environment.DATABASE_ADMIN_PASSWORD)
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}
