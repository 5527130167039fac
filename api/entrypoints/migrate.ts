import { createMigrationHandler } from '../migration.ts'

export const handler = createMigrationHandler(process.env)
