import { relative } from 'node:path'
import type { Cloud } from './cloud.ts'
import type { DataFolder } from './data-folder.ts'
import type { Report } from './lib/report.ts'

/** Prints all addresses and how long the start took. */
export function printSummary(cloud: Cloud, report: Report): void {
  const { context, account, declaredApis, databaseDir, firstPageMs } = cloud
  const { addresses, dataFolder, options } = context
  const environments = account.environments()
  const ready = Math.round(performance.now())
  if (environments.length > 0) {
    report.table(
      'Environments',
      environments.map(({ stack, script, urls }) => [stack, script, urls.join('  ')]),
    )
  }
  const { server, storePort } = addresses
  report.table('Services', [
    ...declaredApis.map(({ stack, url }) => ['read API', `${url}public/v2`, stack]),
    ['object store', `http://127.0.0.1:${storePort}`, toPath(dataFolder.store)],
    ['Cloudflare API', account.access.CLOUDFLARE_BASE_URL],
    ['PostgreSQL', new URL(server.url('')).host, toDatabasePlace(dataFolder, databaseDir)],
  ])
  report.table('More', [
    ['panel', `http://localhost:${addresses.edgePort}/`],
    ['addresses, secrets', toPath(dataFolder.envFile)],
    ['logs', toPath(dataFolder.logs)],
  ])
  if (options.empty) {
    report.line(
      `\n  With these variables, Pulumi deploys to this machine:\n` +
        `  set -a; . ${toPath(dataFolder.envFile)}; set +a\n` +
        `  A media stack also needs:\n` +
        `  pulumi config set STORE_ENDPOINT http://127.0.0.1:${storePort}`,
    )
  }
  report.line(`\n  ${report.times()}`)
  if (firstPageMs !== undefined) report.line(`  First page after ${Math.round(firstPageMs)} ms.`)
  report.line(`  Ready in ${ready} ms. Ctrl-C stops everything.\n`)
}

function toDatabasePlace({ postgres }: DataFolder, databaseDir: string | undefined): string {
  if (databaseDir === undefined) return 'set by DATABASE_URL'
  const reason = databaseDir === postgres ? '' : " (its user cannot enter root's home)"
  return toPath(databaseDir) + reason
}

function toPath(absolute: string): string {
  const path = relative('', absolute)
  return path.startsWith('..') ? absolute : path
}
