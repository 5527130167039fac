import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'

/** Creates a Prisma client for tests and benchmarks; the read API uses pg instead. Call `$disconnect` at the end. */
export const createPrismaClient = (databaseUrl: string): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg({ connectionString: databaseUrl, options: '-c TimeZone=UTC' }),
  })
