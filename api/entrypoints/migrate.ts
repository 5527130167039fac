import { importDemo } from '../../demo/import-demo.ts'
import { NEWSROOMS } from '../../demo/newsroom.ts'
import { createSite } from '../../themes/create-site.ts'
import {
  PublishTheme,
  publishTheme,
  RollBackTheme,
  readTheme,
  rollBackTheme,
} from '../../themes/publication.ts'
import { createMigrationHandler } from './migration.ts'

export const handler: (input: unknown) => Promise<unknown> = createMigrationHandler(process.env, {
  newsrooms: NEWSROOMS,
  createSite,
  importDemo,
  actions: {
    'read-theme': readTheme,
    'publish-theme': (databaseUrl, event) => publishTheme(databaseUrl, PublishTheme.parse(event)),
    'rollback-theme': (databaseUrl, event) =>
      rollBackTheme(databaseUrl, RollBackTheme.parse(event)),
  },
})
