import { resolve } from 'node:path'
import { type PublishedObject, readAssets } from '../../themes/assets.ts'
import { LiveTheme, type Template } from '../../themes/live-theme.ts'
import { isEmptyPlan, type Plan, planPublication, planRollback } from '../../themes/plan.ts'
import { PublicationOutcome } from '../../themes/publication.ts'
import { readTemplateFiles, type TemplateFile } from '../../themes/template-files.ts'
import { listStylesheets, THEMES } from '../../themes/templates.ts'
import { readBackend, type SiteBackend } from '../lib/backend.ts'
import { type BucketClient, openBucket } from '../lib/bucket.ts'
import { runCommand } from '../lib/command-line.ts'
import { type InvokeMigration, openMigrationFunction } from '../lib/migration-function.ts'
import { needsUpload } from '../lib/publish-objects.ts'
import { parseStack } from '../lib/stack.ts'
import { checkTemplates } from './check-templates.ts'
import { toDifference } from './difference.ts'

const COMMAND = {
  invocation: 'npm run publish-theme --',
  positionals: ['<stack>'],
  summary: `Publishes the themes to the backend of a site stack: first stylesheets and fonts, then templates, then
the newest version of each site's stylesheet. Templates are checked before anything is written.
With AWS credentials the backend is on AWS, otherwise in the local cloud.`,
  options: {
    diff: { type: 'boolean', description: 'only show the difference to the live theme' },
    rollback: { type: 'boolean', description: 'undo the newest publication' },
    from: {
      type: 'string',
      value: '<folder>',
      description: 'folder of the themes (default themes/)',
    },
  },
  exitCodes: { 0: 'done, or nothing to do', 1: 'rejected or failed; no template is published' },
} as const

await runCommand(COMMAND, async ({ values, positionals }) => {
  const stack = parseStack(positionals[0])
  const folder = values.from === undefined ? THEMES : resolve(values.from)
  const backend = await readBackend(stack, process.env)
  const theme = values.rollback ? undefined : await readCheckedTheme(folder)
  console.log(toTargetLine(stack, backend))
  const invoke = openMigrationFunction(backend, process.env)
  const live = await invoke({ action: 'read-theme' }, LiveTheme)
  const isDryRun = values.diff ?? false
  if (theme) await publish(theme, live, { backend, invoke, isDryRun })
  else await rollBack(live, { invoke, isDryRun })
})

interface Theme {
  folder: string
  files: TemplateFile[]
}

async function readCheckedTheme(folder: string): Promise<Theme> {
  const files = await readTemplateFiles(folder)
  const faults = await checkTemplates(files)
  if (faults.length === 0) return { folder, files }
  const lines = faults.map(({ path, line, message }) => `${path}:${line}: ${message}`)
  throw new Error(`${lines.join('\n')}\n${faults.length} faults; nothing is published.`)
}

async function publish(
  { folder, files }: Theme,
  live: LiveTheme,
  {
    backend,
    invoke,
    isDryRun,
  }: { backend: SiteBackend; invoke: InvokeMigration; isDryRun: boolean },
): Promise<void> {
  const templates = files.map(toTemplate)
  const stylesheets = await listStylesheets(folder)
  const plan = planPublication(live, templates, stylesheets)
  const bucket = openBucket(backend.bucket, backend.credentials)
  const uploads = await findUploads(bucket, folder)
  console.log(
    toDifference(
      plan,
      uploads.map(({ key }) => key),
    ),
  )
  if (isDryRun) return
  // Assets are uploaded before the templates that refer to them.
  for (const object of uploads) await bucket.put(object)
  if (isEmptyPlan(plan)) return
  const event = { action: 'publish-theme', expected: live.digest, templates, stylesheets }
  report('Published', await invoke(event, PublicationOutcome))
}

async function rollBack(
  live: LiveTheme,
  { invoke, isDryRun }: { invoke: InvokeMigration; isDryRun: boolean },
): Promise<void> {
  const plan: Plan | undefined = planRollback(live)
  if (!plan) throw new Error('Nothing was published, so there is nothing to roll back.')
  console.log(`Publication of ${live.publication?.published_at}:`)
  console.log(toDifference(plan, []))
  if (isDryRun) return
  const event = { action: 'rollback-theme', expected: live.digest }
  report('Rolled back', await invoke(event, PublicationOutcome))
}

async function findUploads(bucket: BucketClient, folder: string): Promise<PublishedObject[]> {
  const uploads: PublishedObject[] = []
  for await (const object of readAssets(folder))
    if (await needsUpload(bucket, object)) uploads.push(object)
  return uploads
}

function toTemplate({ home, type, key, language, title, source }: TemplateFile): Template {
  return { home, type, key, language, title, source }
}

function toTargetLine(stack: string, backend: SiteBackend): string {
  const where = backend.type === 'aws' ? `AWS, ${backend.region}` : 'the local cloud'
  return `Backend of ${stack}: ${where}, bucket ${backend.bucket.bucket}`
}

function report(verb: string, { templates, sites }: PublicationOutcome): void {
  console.log(`${verb}: ${templates} templates, stylesheets of ${sites} sites.`)
}
