import { runCommand } from '../lib/command-line.ts'
import { readEvidence } from './evidence.ts'
import { explainNotLive } from './explain-not-live.ts'
import { toReport } from './report.ts'
import { readSources } from './sources.ts'

const COMMAND = {
  invocation: 'npm run status --',
  positionals: ['<environment>', '<path>'],
  summary: `Explains what a path of a site environment shows: first «live» or «not live because …», then site, route,
article, template, cache entry and the last reading of the change log. Variables such as SITE_STAGE_…, or
.local/env, have the addresses and credentials of the site worker (URL, ADMIN_PURGE_SECRET), of the read API
(CMS_API_BASE_URL, CMS_API_KEY, CMS_SITE_ID) and, optionally, of the database (DATABASE_URL).`,
  options: { json: { type: 'boolean', description: 'print the evidence as JSON' } },
  exitCodes: { 0: 'live', 1: 'not live, or a variable is missing' },
} as const

await runCommand(COMMAND, async ({ values, positionals: [environment = '', path = ''] }) => {
  const evidence = await readEvidence(await readSources(environment), path)
  const now = Date.now()
  console.log(values.json ? JSON.stringify(evidence, null, 2) : toReport(evidence, now))
  return explainNotLive(evidence, now) === undefined ? 0 : 1
})
