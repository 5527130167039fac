import { request } from 'node:http'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { Fault } from './fault.ts'
import type { Home } from './home.ts'
import type { Report } from './report.ts'
import type { Cloud } from './start.ts'

/** Asks for a first page, and says what listens where and how long it all took. */
export async function announce(cloud: Cloud, report: Report): Promise<void> {
  const { environments, apis, addresses, home, databaseDir } = cloud
  const first = environments.find((environment) => environment.home !== undefined)
  if (first?.home) await report.time('first page', fetchPage(first.home))
  const ready = Math.round(performance.now())

  report.table(
    'Environments',
    environments.map(({ stack, script, urls }) => [stack, script, urls.join('  ')]),
  )
  const { server, storePort } = addresses
  report.table('Behind them', [
    ...apis.map(({ stack, url }) => ['read API', `${url}public/v2`, stack]),
    ['store', `http://127.0.0.1:${storePort}`, toPath(home.store)],
    ['PostgreSQL', new URL(server.url('')).host, toPlace(home, databaseDir)],
  ])
  report.table('To read', [
    ['addresses, secrets', toPath(home.envFile)],
    ['logs', toPath(home.logs)],
  ])
  report.line(`\n  ${report.times()}`)
  report.line(`  Ready in ${ready} ms. Ctrl-C stops everything.\n`)
}

function toPlace({ postgres }: Home, databaseDir: string | undefined): string {
  if (databaseDir === undefined) return 'by DATABASE_URL'
  const outside = databaseDir === postgres ? '' : " (its user cannot enter root's home)"
  return toPath(databaseDir) + outside
}

function toPath(absolute: string): string {
  const path = relative('', absolute)
  return path.startsWith('..') ? absolute : path
}

/** A page of the edge here: programs cannot resolve its host names, so this machine is dialled. */
async function fetchPage(address: string): Promise<void> {
  const { host, port, pathname } = new URL(address)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: pathname, headers: { host } }
    request(options, (response) => text(response).then(() => resolve(response.statusCode), reject))
      .on('error', reject)
      .end()
  })
  if (status !== 200) throw new Fault(`${address} answers ${status} instead of a page.`)
}
