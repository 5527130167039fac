import { reloadContent } from '../../demo/reload-content.ts'
import { withClient } from '../../prisma/connection.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'

/**
 * Writes these files of `demo/content/` to every database; deletes the article of a deleted file.
 *
 * @throws UserError when a file cannot be reloaded
 */
export async function reloadDemoContent(
  paths: readonly string[],
  databaseUrls: readonly string[],
): Promise<void> {
  for (const path of paths)
    for (const url of databaseUrls)
      await withClient(url, (client) =>
        reloadContent(client, path.replace(/^demo\/content\//, '')),
      ).catch((error) => {
        throw new UserError(`${path}: ${toErrorMessage(error)}`)
      })
}
