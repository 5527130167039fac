import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { runCommand } from '../lib/command-line.ts'
import { DifferenceRow, toDifferenceTable } from '../lib/differences.ts'
import { parseStack } from '../lib/stack.ts'
import { toFenced } from './fence.ts'
import { gh } from './gh.ts'

const LABEL = 'drift'

const Report = z.object({
  differences: z.array(DifferenceRow),
  refresh: z.optional(z.string()),
  unchecked: z.array(z.string()),
})
const Issues = z.array(z.object({ number: z.int(), title: z.string() }))

const COMMAND = {
  invocation: 'node ops/github/drift-issue.ts',
  positionals: ['<stack>', '<code>', '<file>'],
  summary: `Opens, updates or closes the drift issue of a stack. <code> is the exit code of \`npm run drift\` (7 opens
or updates the issue, 0 closes it), <file> its JSON report. Environment: GH_TOKEN.`,
  options: {},
  exitCodes: { 0: 'the issue is up to date', 1: 'the drift check or GitHub failed' },
} as const

await runCommand(COMMAND, async ({ positionals: [name, code, file = ''] }) => {
  const title = `Drift of ${parseStack(name)}`
  const report = await readFile(file, 'utf8')
  if (code !== '0' && code !== '7') throw new Error(`${name} could not be checked:\n${report}`)
  const number = await findIssue(title)
  if (code === '7') await openOrEdit(number, title, toBody(Report.parse(JSON.parse(report))))
  else if (number) await gh(['issue', 'close', number, '--comment', 'There is no drift any more.'])
})

async function openOrEdit(number: string | undefined, title: string, body: string): Promise<void> {
  if (number) {
    await gh(['issue', 'edit', number, '--body-file', '-'], body)
    return
  }
  await gh([
    'label',
    'create',
    LABEL,
    '--force',
    '--description',
    'Live resources differ from the declaration',
  ])
  await gh(['issue', 'create', '--title', title, '--label', LABEL, '--body-file', '-'], body)
}

async function findIssue(title: string): Promise<string | undefined> {
  const filter = ['--state', 'open', '--label', LABEL, '--limit', '200']
  const output = await gh(['issue', 'list', ...filter, '--json', 'number,title'])
  const found = Issues.parse(JSON.parse(output)).find((issue) => issue.title === title)
  return found && String(found.number)
}

function toBody({ differences, refresh, unchecked }: z.infer<typeof Report>): string {
  const parts = [
    toDifferenceTable(differences),
    refresh ?? '',
    ...unchecked.map((reason) => `Not checked: ${reason}`),
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return `The live resources differ from the declaration. [The runbook](../blob/main/docs/operations.md#drift) describes what to do.\n\n${toFenced('text', text)}`
}
