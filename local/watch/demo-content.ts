import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { updateArticle } from '../../demo/update-article.ts'
import { withClient } from '../../prisma/connection.ts'
import { root } from '../lib/paths.ts'
import { toSentence, UserError } from '../lib/user-error.ts'

/**
 * Updates the demo's articles in these files in every database.
 *
 * @throws UserError when a file cannot be read, or no database has its article
 */
export async function reloadArticles(
  paths: readonly string[],
  databaseUrls: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const acronym = path.split('/')[2] ?? ''
    const text = await readFile(join(root, path), 'utf8').catch((error) => {
      throw new UserError(`${path} cannot be read: ${toSentence(error)}`)
    })
    const results = await Promise.all(
      databaseUrls.map((url) =>
        withClient(url, (client) =>
          updateArticle(client, acronym, { name: basename(path), text }),
        ).catch((error) => {
          throw new UserError(`${path}: ${toSentence(error)}`)
        }),
      ),
    )
    if (!results.some(Boolean))
      throw new UserError(`${path} is new: only a new database is seeded with it.`)
  }
}
