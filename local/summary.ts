import { relative } from 'node:path'
import type { Cloud } from './cloud.ts'
import type { DataFolder } from './data-folder.ts'
import type { Report } from './lib/report.ts'

/** Prints all addresses, and the duration of the start and of its parts. */
export function printSummary(cloud: Cloud, report: Report): void {
  const { context, account, declaredApis, databaseDir, firstPageMs } = cloud
  const { addresses, dataFolder, options } = context
  const environments = account.environments()
  const readyMs = Math.round(performance.now())
  if (environments.length > 0) {
    report.table(
      'Environments',
      environments.map(({ stack, script, urls }) => [stack, script, urls.join('  ')]),
    )
  }
  const { databaseServer, storePort } = addresses
  report.table('Services', [
    ...declaredApis.map(({ stack, url }) => ['read API', `${url}public/v2`, stack]),
    ['object store', `http://127.0.0.1:${storePort}`, toShortPath(dataFolder.store)],
    ['Cloudflare API', account.access.CLOUDFLARE_BASE_URL],
    ['PostgreSQL', new URL(databaseServer.url('')).host, describeDatabase(dataFolder, databaseDir)],
  ])
  report.table('More', [
    ['panel', `http://localhost:${addresses.edgePort}/`],
    ['addresses, secrets', toShortPath(dataFolder.envFile)],
    ['logs', toShortPath(dataFolder.logs)],
  ])
  if (options.empty) {
    report.line(
      `\n  With these variables, Pulumi deploys to this machine:\n` +
        `  set -a; . ${toShortPath(dataFolder.envFile)}; set +a\n` +
        `  A media stack also needs:\n` +
        `  pulumi config set STORE_ENDPOINT http://127.0.0.1:${storePort}`,
    )
  }
  report.line(`\n  ${report.times()}`)
  if (firstPageMs !== undefined) report.line(`  First page after ${Math.round(firstPageMs)} ms.`)
  report.line(`  Ready in ${readyMs} ms. Ctrl-C stops everything.\n`)
}

function describeDatabase({ postgres }: DataFolder, databaseDir: string | undefined): string {
  if (databaseDir === undefined) return 'set by DATABASE_URL'
  const reason = databaseDir === postgres ? '' : " (its user cannot enter root's home)"
  return toShortPath(databaseDir) + reason
}

function toShortPath(absolute: string): string {
  const path = relative('', absolute)
  return path.startsWith('..') ? absolute : path
}
