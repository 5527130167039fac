import { readFile, writeFile } from 'node:fs/promises'
import { stacks } from '../../infra/environments.ts'
import { runCommand } from '../lib/command-line.ts'
import { type Bill, RecordedDeclaration, toBill, toTotal } from './bill.ts'
import { PRICE_BASIS, PRICES } from './prices.ts'
import { INVALIDATION, MEDIA, SITE, VOLUMES } from './traffic.ts'

const PAGE = new URL('../../docs/costs.md', import.meta.url)

interface Costs {
  stack: string
  /** A bill for each of `VOLUMES`. */
  bills: Bill[]
}

/** Returns docs/costs.md: the monthly costs of each stack, computed from its declaration. */
export async function makePage(): Promise<string> {
  const costs = await Promise.all(stacks.map(readCosts))
  return `${[
    '# Costs',
    INTRODUCTION,
    '## Monthly cost, by number of visitor requests',
    toTable('stack', costs.map(toTotals)),
    `In addition, Workers Paid costs ${toDollars(PRICES.workersPaid)} a month for each account.`,
    ...costs.flatMap(({ stack, bills }) => [`## ${stack}`, toTable('', toLines(bills))]),
    '## Assumptions',
    ASSUMPTIONS_SECTION,
    `## Prices of ${PRICES.date}`,
    PRICES_SECTION,
  ].join('\n\n')}\n`
}

async function readCosts(stack: string): Promise<Costs> {
  const recorded = new URL(`../../infra/golden/${stack}.json`, import.meta.url)
  const declaration = RecordedDeclaration.parse(JSON.parse(await readFile(recorded, 'utf8')))
  return { stack, bills: VOLUMES.map((requests) => toBill(declaration, requests)) }
}

function toTotals({ stack, bills }: Costs): string[] {
  return [stack, ...bills.map((bill) => toDollars(toTotal(bill)))]
}

function toLines(bills: readonly Bill[]): string[][] {
  const names = new Set(bills.flatMap((bill) => [...bill.keys()]))
  const lines = [...names].map((name) => [
    name,
    ...bills.map((bill) => toDollars(bill.get(name) ?? 0)),
  ])
  return [...lines, ['**total**', ...bills.map((bill) => `**${toDollars(toTotal(bill))}**`)]]
}

function toTable(corner: string, rows: readonly string[][]): string {
  const head = [corner, ...VOLUMES.map(toVolume)]
  const rule = ['---', ...VOLUMES.map(() => '---:')]
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function toVolume(requests: number): string {
  return requests < 1e9 ? `${requests / 1e6} million` : `${requests / 1e9} billion`
}

function toDollars(amount: number): string {
  const digits = amount < 100 ? 2 : 0
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`

const INTRODUCTION =
  '`npm run costs -- --write` computes this page from the recorded declarations (`infra/golden/`), the prices in `ops/costs/prices.ts` and the traffic in `ops/costs/traffic.ts`. Edit those, not the page. CI fails if the page is out of date.'

const ASSUMPTIONS_SECTION = `- The edge cache serves ${percent(SITE.edgeHits)} of a site's requests, KV ${percent(SITE.kvHits)} of the rest. All other pages are rendered. A rendering calls the read API ${SITE.apiCalls} times; a call takes ${SITE.apiMs} ms and responds with ${SITE.apiResponseKb} KB. A request uses ${SITE.cpuMs} ms of CPU time.
- The edge cache serves ${percent(MEDIA.edgeHits)} of the requests for media, and a miss takes ${MEDIA.readsPerMiss.toFixed(2)} reads of the bucket. \`npm run bench -- media\` measured both (\`media.mix\`): it sends 20,000 requests to one data centre within the lifetime of an entry. They are distributed by Zipf's law over 357 objects: the pictures of the demo, a document of 5 MiB and a video of 80 MiB. With fewer requests for each object, the share of misses is larger. A cold object up to 2 MiB takes one read, up to 8 MiB two, and a larger one a read for each slice of 2 MiB that is requested. An object has ${MEDIA.objectKb} KB on average, and the bucket contains ${MEDIA.storedGb} GB. A request uses ${MEDIA.cpuMs} ms of CPU time.
- Requests are distributed evenly over the month. This makes the next two items as expensive as possible, because requests that arrive together share one read of a log.
- Invalidation log (the D1 database): when a request arrives, each of ${INVALIDATION.dataCentres} data centres reads it again if its copy is older than ${INVALIDATION.renewSeconds} s, so at most ${60 / INVALIDATION.renewSeconds} times a minute. Such a read scans ${INVALIDATION.rowsOfRead} rows; every ${INVALIDATION.fullReadSeconds / 60} minutes, each data centre reads all ${INVALIDATION.liveRows} rows instead. ${INVALIDATION.changes.toLocaleString('en-US')} changes a month write ${INVALIDATION.rowsOfChange} rows each.
- Change log of the API: the site worker reads it every ${INVALIDATION.followSeconds} s while requests arrive, and by the cron trigger. The API's response takes ${INVALIDATION.followMs} ms and has ${INVALIDATION.followResponseKb} KB. The worker then writes ${INVALIDATION.rowsOfRun} rows to D1.
- Logs: the workers log one of 100 fresh hits in the edge cache (the default of \`LOG_SAMPLE\`), and every other request. A run of the cron trigger counts as one line. The read API logs every request, except successful ones for the change log.
- site-stage-mk2 uses the read API of site-stage. These calls are not counted, neither for site-stage-mk2 nor for site-stage.
- Not counted, because they are small: storage of KV entries, uploads, migrations, backups up to the size of the database.`

const PRICES_SECTION = `${PRICE_BASIS}

${PRICES.sources.map((source) => `- <${source}>`).join('\n')}`

const COMMAND = {
  invocation: 'npm run costs --',
  summary: 'Prints docs/costs.md, computed from the recorded declarations, prices and traffic.',
  options: {
    write: { type: 'boolean', description: 'write the page instead of printing it' },
    check: { type: 'boolean', description: 'check that the page is up to date' },
  },
  exitCodes: { 0: 'printed, written, or up to date', 1: 'the page is not up to date' },
} as const

if (import.meta.main)
  await runCommand(COMMAND, async ({ values }) => {
    const page = await makePage()
    if (values.write) await writeFile(PAGE, page)
    else if (!values.check) process.stdout.write(page)
    else if ((await readFile(PAGE, 'utf8')) !== page)
      throw new Error('docs/costs.md is out of date: run `npm run costs -- --write`.')
  })
