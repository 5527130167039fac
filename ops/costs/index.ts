import { readFile, writeFile } from 'node:fs/promises'
import { stacks } from '../../infra/environments.ts'
import { runCommand } from '../lib/command-line.ts'
import { type Bill, Declaration, toBill, toTotal } from './bill.ts'
import { basis, prices } from './prices.ts'
import { media, site, volumes } from './traffic.ts'

const PAGE = new URL('../../docs/costs.md', import.meta.url)

interface Costs {
  stack: string
  /** One bill for each of the volumes. */
  bills: Bill[]
}

/** The page that tells what each stack costs a month, by what it declares. */
export async function makePage(): Promise<string> {
  const costs = await Promise.all(stacks.map(readCosts))
  return `${[
    '# What it costs',
    INTRODUCTION,
    '## A month, by requests of readers to the stack',
    toTable('stack', costs.map(toTotals)),
    `Workers Paid costs ${toDollars(prices.workersPaid)} a month once an account, on top.`,
    ...costs.flatMap(({ stack, bills }) => [`## ${stack}`, toTable('', toLines(bills))]),
    '## What is assumed',
    ASSUMPTIONS,
    `## Prices of ${prices.date}`,
    PRICES,
  ].join('\n\n')}\n`
}

async function readCosts(stack: string): Promise<Costs> {
  const recorded = new URL(`../../infra/golden/${stack}.json`, import.meta.url)
  const declaration = Declaration.parse(JSON.parse(await readFile(recorded, 'utf8')))
  return { stack, bills: volumes.map((requests) => toBill(declaration, requests)) }
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
  return [...lines, ['**in all**', ...bills.map((bill) => `**${toDollars(toTotal(bill))}**`)]]
}

function toTable(corner: string, rows: readonly string[][]): string {
  const head = [corner, ...volumes.map(toVolume)]
  const rule = ['---', ...volumes.map(() => '---:')]
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function toVolume(requests: number): string {
  return requests < 1e9 ? `${requests / 1e6} M` : `${requests / 1e9} G`
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
  'Made by `npm run costs -- --write` from the recorded declarations (`infra/golden/`), the prices in `ops/costs/prices.ts` and the traffic in `ops/costs/traffic.ts`: edit those. A pull request that changes one without the page fails.'

const ASSUMPTIONS = `- The edge cache answers ${percent(site.edgeHits)} of a site's requests, the key-value store ${percent(site.storeHits)} of the rest; what is left is rendered with ${site.apiCalls} calls of the read API of ${site.apiMs} ms and ${site.apiResponseKb} KB each. A worker takes ${site.cpuMs} ms of CPU time a request.
- The edge cache answers ${percent(media.edgeHits)} of the requests for media; the rest reads objects of ${media.objectKb} KB from a bucket of ${media.storedGb} GB. A worker takes ${media.cpuMs} ms.
- Cron triggers, which ask the read API what changed, are counted by their declared schedule.
- Workers write one log line a request, as far as the declared sampling rate goes: at 10 G requests this is most of the bill, and \`headSamplingRate\` in \`infra/worker.ts\` is what to turn.
- site-stage-mk2 asks the read API of site-stage: what its readers cause there is on neither bill.
- Left out as too small: storage of keys, uploads, migrations, backups up to the size of the database.`

const PRICES = `${basis}

${prices.sources.map((source) => `- <${source}>`).join('\n')}`

const command = {
  invocation: 'npm run costs --',
  summary: 'Prints docs/costs.md as the recorded declarations, prices and traffic make it.',
  options: {
    write: { type: 'boolean', description: 'write the page instead' },
    check: { type: 'boolean', description: 'compare the page instead' },
  },
  exitCodes: { 0: 'printed, written, or up to date', 1: 'the page is not up to date' },
} as const

if (import.meta.main)
  await runCommand(command, async ({ values }) => {
    const page = await makePage()
    if (values.write) await writeFile(PAGE, page)
    else if (!values.check) process.stdout.write(page)
    else if ((await readFile(PAGE, 'utf8')) !== page)
      throw new Error('docs/costs.md is out of date: run `npm run costs -- --write`.')
  })
