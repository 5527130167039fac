import { relative } from 'node:path'
import type { Cloud } from './cloud.ts'
import type { DataFolder } from './data-folder.ts'
import type { Report } from './lib/report.ts'

/** Prints all addresses and how long the start took. */
export function printSummary(cloud: Cloud, report: Report): void {
  const { start, account, apis, databaseDir, pageAfter } = cloud
  const { addresses, dataFolder, options } = start
  const environments = account.environments()
  const ready = Math.round(performance.now())
  if (environments.length > 0) {
    report.table(
      'Environments',
      environments.map(({ stack, script, urls }) => [stack, script, urls.join('  ')]),
    )
  }
  const { server, storePort } = addresses
  report.table('Behind them', [
    ...apis.map(({ stack, url }) => ['read API', `${url}public/v2`, stack]),
    ['store', `http://127.0.0.1:${storePort}`, toPath(dataFolder.store)],
    ['Cloudflare API', account.access.CLOUDFLARE_BASE_URL],
    ['PostgreSQL', new URL(server.url('')).host, toPlace(dataFolder, databaseDir)],
  ])
  report.table('To read', [
    ['panel', `http://localhost:${addresses.edgePort}/`],
    ['addresses, secrets', toPath(dataFolder.envFile)],
    ['logs', toPath(dataFolder.logs)],
  ])
  if (options.empty) {
    report.line(
      `\n  With these variables set, Pulumi deploys to this machine:\n` +
        `  set -a; . ${toPath(dataFolder.envFile)}; set +a\n` +
        `  For the bucket of a media stack, set also:\n` +
        `  pulumi config set STORE_ENDPOINT http://127.0.0.1:${storePort}`,
    )
  }
  report.line(`\n  ${report.times()}`)
  if (pageAfter !== undefined) report.line(`  First page after ${Math.round(pageAfter)} ms.`)
  report.line(`  Ready in ${ready} ms. Ctrl-C stops everything.\n`)
}

function toPlace({ postgres }: DataFolder, databaseDir: string | undefined): string {
  if (databaseDir === undefined) return 'by DATABASE_URL'
  const outside = databaseDir === postgres ? '' : " (its user cannot enter root's home)"
  return toPath(databaseDir) + outside
}

function toPath(absolute: string): string {
  const path = relative('', absolute)
  return path.startsWith('..') ? absolute : path
}
