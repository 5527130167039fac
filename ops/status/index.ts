import { runCommand } from '../lib/command-line.ts'
import { readAccess } from './access.ts'
import { readFacts } from './facts.ts'
import { toReport } from './report.ts'
import { explain } from './verdict.ts'

const command = {
  invocation: 'npm run status --',
  positionals: ['<environment>', '<path>'],
  summary: `Says why a page of a site environment shows what it shows: first «live» or «not live because …», then
site, route, article, template, cache entry, and how far changes were followed. Reads, by variables such as
SITE_STAGE_… or .local/env: the site worker (URL, ADMIN_PURGE_SECRET), the read API (CMS_API_BASE_URL,
CMS_API_KEY, CMS_SITE_ID) and, where DATABASE_URL is given, the database.`,
  options: { json: { type: 'boolean', description: 'the facts as JSON' } },
  exitCodes: { 0: 'live', 1: 'not live, or a variable is missing' },
} as const

await runCommand(command, async ({ values, positionals: [environment = '', path = ''] }) => {
  const facts = await readFacts(await readAccess(environment), path)
  const now = Date.now()
  console.log(values.json ? JSON.stringify(facts, null, 2) : toReport(facts, now))
  return explain(facts, now) === undefined ? 0 : 1
})
