import { join } from 'node:path'
import { type Addresses, chooseAddresses } from './addresses.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { type DeclaredApi, findApis, findBuckets, findCredentials } from './deploy/aws-resources.ts'
import { openDatabase, openReader, startApi } from './deploy/read-api.ts'
import { deriveSecret, readDomains } from './deploy/stack-overrides.ts'
import { startPostgres } from './emulators/postgres/postgres.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { type Store, startStore } from './emulators/s3/server.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import { UserError } from './lib/user-error.ts'
import { toOperator } from './operator.ts'
import type { StartOptions } from './options.ts'
import { type RunningApi, superviseApi } from './read-api-supervisor.ts'
import { seedBuckets, seedDatabase } from './seed.ts'

/** Context shared by all start-up steps. */
export interface Start {
  options: StartOptions
  report: Report
  home: DataFolder
  addresses: Addresses
  /** Stops what has been started, last first. */
  running: AsyncDisposableStack
  /** Told when something that runs ends by itself. */
  fail: (error: UserError) => void
  /** Current problems by subject; shown on the panel. */
  notices: Map<string, string>
}

interface Process {
  exited: Promise<number | null>
  stop(): Promise<void>
}

/** `broken` rejects when something that runs ends by itself. */
export async function prepare(
  options: StartOptions,
  report: Report,
  running: AsyncDisposableStack,
): Promise<{ start: Start; broken: Promise<never> }> {
  const home = await openDataFolder(options.data)
  const addresses = await chooseAddresses(options, home)
  const { promise: broken, reject: fail } = Promise.withResolvers<never>()
  return { start: { options, report, home, addresses, running, fail, notices: new Map() }, broken }
}

/** Stops a process with the rest, and breaks down when it ends before, unless it was let go. */
export function keep(start: Start, name: string, process: Process): () => Promise<void> {
  const { running, fail, home } = start
  let kept = true
  running.defer(process.stop)
  process.exited.then((code) => {
    if (kept && !running.disposed) {
      fail(new UserError(`${name} ended with ${code}: see ${home.logs}.`))
    }
  })
  return () => {
    kept = false
    return process.stop()
  }
}

/** Gives the folder of its data; undefined when DATABASE_URL names a server. */
export async function runPostgres(start: Start): Promise<string | undefined> {
  const { home, addresses } = start
  if (!addresses.embedded) return undefined
  const postgres = await startPostgres({ dataDir: home.postgres, ...addresses.embedded })
  keep(start, 'PostgreSQL', postgres)
  return postgres.dataDir
}

export async function runStore({ home, addresses, running }: Start): Promise<Store> {
  const store = await startStore({ folder: home.store, port: addresses.storePort })
  running.defer(store.stop)
  return store
}

/** Runs a read API, and runs it again when it ends by itself. */
export async function runApi(start: Start, api: DeclaredApi): Promise<RunningApi> {
  const { home, addresses, options, notices, report, running } = start
  const reader = { name: toReader(api), password: addresses.readerPassword }
  const subject = `The read API of ${api.stack}`
  const supervised = await superviseApi({
    launch: (port) =>
      startApi({
        api,
        databaseUrl: addresses.server.url(toDatabaseName(api), reader),
        docsKey: deriveSecret(home.seed, api.stack, 'CMS_API_KEY'),
        logFile: join(home.logs, `${api.stack}-api.log`),
        port,
      }),
    port: Number(new URL(api.url).port),
    watch: options.watch,
    onNotice(sentence, isUp) {
      report.line(`  ${subject} ${sentence}`)
      if (isUp) notices.delete(subject)
      else notices.set(subject, `${subject} ${sentence}`)
    },
  })
  running.defer(supervised.stop)
  return supervised
}

export async function fillDatabases(
  start: Start,
  captures: readonly CapturedStack[],
): Promise<void> {
  const apis = findApis(captures)
  const { server, readerPassword } = start.addresses
  for (const role of new Set(apis.map(toReader))) await openReader(server, role, readerPassword)
  const domains = await readDomains(root)
  const filled = apis.map(async (api) => {
    const url = await openDatabase(server, toDatabaseName(api), toReader(api))
    await seedDatabase(url, {
      articles: start.options.articles,
      domains,
      onProgress: ({ done, total }) => start.report.progress(api.stack, done, total),
    })
  })
  await Promise.all(filled)
}

export async function fillBuckets(
  start: Start,
  store: Store,
  captures: readonly CapturedStack[],
): Promise<void> {
  for (const credential of findCredentials(captures)) store.admit(credential)
  store.admit(toOperator(start.home.seed))
  const buckets = await Promise.all(findBuckets(captures).map(({ name }) => store.open(name)))
  await seedBuckets(buckets)
}

/** The owner's URL of each database, by the stack that declares it. */
export function toDatabaseUrls(
  { addresses }: Start,
  captures: readonly CapturedStack[],
): Record<string, string> {
  const apis = findApis(captures)
  return Object.fromEntries(
    apis.map((api) => [api.stack, addresses.server.url(toDatabaseName(api))]),
  )
}

/** Backends share a server here, so that a database bears its stack's name too. */
function toDatabaseName({ stack, variables }: DeclaredApi): string {
  return `${variables.DATABASE_NAME}_${stack.replaceAll('-', '_')}`
}

function toReader({ variables }: DeclaredApi): string {
  return variables.DATABASE_USER ?? 'cms_api'
}
