import { importDemo } from '../../demo/import-demo.ts'
import { NEWSROOMS } from '../../demo/newsroom.ts'
import { createSite } from '../../themes/create-site.ts'
import { handleThemeEvent, isThemeEvent } from '../../themes/publication.ts'
import { createMigrationHandler, toOwnerUrl } from './migration.ts'

const migrate = createMigrationHandler(process.env, {
  demoSites: NEWSROOMS,
  createSite,
  importDemo,
})

/** Handler of the migration function on AWS. Theme events read, publish or roll back a theme. */
export const handler = (event: unknown): Promise<unknown> =>
  isThemeEvent(event) ? handleThemeEvent(toOwnerUrl(process.env), event) : migrate(event)
