import { importDemo } from '../../demo/import-demo.ts'
import { NEWSROOMS } from '../../demo/newsroom.ts'
import { createSite } from '../../themes/create-site.ts'
import { createMigrationHandler } from './migration.ts'

export const handler: (input: unknown) => Promise<unknown> = createMigrationHandler(process.env, {
  newsrooms: NEWSROOMS,
  createSite,
  importDemo,
})
