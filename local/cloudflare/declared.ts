import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { Fault, toSentence } from '../fault.ts'
import type { Recording, Resource } from '../record/recording.ts'
import { Binding } from './bindings.ts'
import * as account from './cloudflare.ts'
import type { Cloudflare } from './cloudflare.ts'

const Id = z.string()
const Namespace = z.object({ title: z.string() })
const Script = z.object({
  scriptName: z.string(),
  mainModule: z.string(),
  contentFile: z.string(),
  bindings: z._default(z.array(Binding), []),
  compatibilityDate: z.string(),
  compatibilityFlags: z._default(z.array(z.string()), []),
})
const CronTrigger = z.object({
  scriptName: z.string(),
  schedules: z.array(z.object({ cron: z.string() })),
})
const Route = z.object({ zoneId: Id, pattern: z.string(), script: z.optional(z.string()) })
const Domain = z.object({ zoneId: Id, hostname: z.string(), service: z.string() })
const Record = z.object({
  zoneId: Id,
  name: z.string(),
  type: z.string(),
  content: z._default(z.string(), ''),
  proxied: z._default(z.boolean(), false),
})

type Put = (cloudflare: Cloudflare, resource: Resource, programDir: string) => void | Promise<void>

/** How each declared type enters the account, in an order in which nothing is named before it exists. */
const putByType: [type: string, put: Put][] = [
  [
    'cloudflare:index/workersKvNamespace:WorkersKvNamespace',
    (cloudflare, { id, inputs }) =>
      account.putNamespace(cloudflare, id, z.parse(Namespace, inputs).title),
  ],
  [
    'cloudflare:index/workersScript:WorkersScript',
    async (cloudflare, { inputs }, programDir) => {
      const { scriptName, contentFile, ...script } = z.parse(Script, inputs)
      const content = await readFile(resolve(programDir, contentFile), 'utf8')
      account.putScript(cloudflare, scriptName, { ...script, content })
    },
  ],
  [
    'cloudflare:index/workersCronTrigger:WorkersCronTrigger',
    (cloudflare, { inputs }) => {
      const { scriptName, schedules } = z.parse(CronTrigger, inputs)
      const crons = schedules.map(({ cron }) => cron)
      account.putCrons(cloudflare, scriptName, crons)
    },
  ],
  [
    'cloudflare:index/workersRoute:WorkersRoute',
    (cloudflare, { id, inputs }) => account.putRoute(cloudflare, id, z.parse(Route, inputs)),
  ],
  [
    'cloudflare:index/dnsRecord:DnsRecord',
    (cloudflare, { id, inputs }) => account.putRecord(cloudflare, id, z.parse(Record, inputs)),
  ],
  [
    'cloudflare:index/workersCustomDomain:WorkersCustomDomain',
    (cloudflare, { id, inputs }) => account.putDomain(cloudflare, id, z.parse(Domain, inputs)),
  ],
]

/** Puts what stacks declare into an account; `programDir` is what files are relative to. */
export async function putDeclared(
  cloudflare: Cloudflare,
  recordings: readonly Recording[],
  programDir: string,
): Promise<void> {
  const resources = recordings.flatMap((recording) =>
    recording.resources.map((resource) => ({ stack: recording.stack, resource })),
  )
  for (const [type, put] of putByType) {
    for (const { stack, resource } of resources.filter((each) => each.resource.type === type)) {
      try {
        await put(cloudflare, resource, programDir)
      } catch (error) {
        throw new Fault(`Stack ${stack}, ${type} "${resource.name}": ${explain(error)}.`)
      }
    }
  }
}

function explain(error: unknown): string {
  if (!(error instanceof z.core.$ZodError)) return toSentence(error)
  const [issue] = error.issues
  return `${issue?.path.join('.')} ${issue?.message}`
}
