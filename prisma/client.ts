import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'

/** Creates a Prisma client for tests and benchmarks. The read API uses SQL. Call `$disconnect` at the end. */
export const createPrismaClient = (databaseUrl: string): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg({ connectionString: databaseUrl, options: '-c TimeZone=UTC' }),
  })
