import { join } from 'node:path'
import { type Addresses, chooseAddresses } from './addresses.ts'
import { type DeclaredApi, findApis, findBuckets, findCredentials } from './aws.ts'
import { openDatabase, openReader, startApi } from './backend.ts'
import { createCloudflare } from './cloudflare/cloudflare.ts'
import { putDeclared } from './cloudflare/declared.ts'
import { startPostgres } from './database.ts'
import { startEdge } from './edge/edge.ts'
import { writeEnvironmentFile } from './environment-file.ts'
import { type Environment, listEnvironments } from './environments.ts'
import { Fault } from './fault.ts'
import { awaitPage } from './first-page.ts'
import { type Home, openHome } from './home.ts'
import { toNowherePage } from './nowhere.ts'
import type { Options } from './options.ts'
import { derive } from './record/facts.ts'
import { openLibrary } from './record/library.ts'
import type { Recording } from './record/recording.ts'
import type { Report } from './report.ts'
import { root } from './root.ts'
import { seedBuckets, seedDatabase } from './seed.ts'
import { localise } from './stacks.ts'
import { type Store, startStore } from './store/store.ts'

/** What the declarations can depend on. */
const SOURCES = [
  'package-lock.json',
  ...['infra', 'workers', 'api', 'http', 'contract', 'prisma/migrations', 'local'],
]

export interface Cloud {
  /** Rejects when something that runs ends by itself. */
  broken: Promise<never>
  environments: Environment[]
  apis: DeclaredApi[]
  addresses: Addresses
  home: Home
  /** Where PostgreSQL keeps its data; undefined when it is not ours. */
  databaseDir: string | undefined
  /** Milliseconds from the command to the first page; undefined when no host is a newsroom's. */
  pageAfter: number | undefined
}

interface Start {
  options: Options
  report: Report
  home: Home
  addresses: Addresses
  /** Stops what has been started, last first. */
  running: AsyncDisposableStack
  /** Told when something that runs ends by itself. */
  breakDown: (fault: Fault) => void
}

interface Process {
  exited: Promise<number | null>
  stop(): Promise<void>
}

/** Brings up everything that the stacks declare, as much of it at once as can be. */
export async function startCloud(
  options: Options,
  report: Report,
  running: AsyncDisposableStack,
): Promise<Cloud> {
  const home = await openHome(options.data)
  const addresses = await chooseAddresses(options.port, home)
  const { promise: broken, reject: breakDown } = Promise.withResolvers<never>()
  const start = { options, report, home, addresses, running, breakDown }

  const postgres = report.time('postgres', runPostgres(start))
  const store = report.time('store', runStore(start))
  const recorded = report.time('recordings', record(start))
  const edge = recorded.then((recordings) => report.time('edge', runEdge(start, recordings)))
  const databases = Promise.all([recorded, postgres]).then(([recordings]) =>
    report.time('databases', fillDatabases(start, recordings)),
  )
  const everything = Promise.all([
    databases,
    // After the edge, which can show what it still has before anything behind it runs.
    Promise.all([recorded, edge]).then(([recordings]) =>
      report.time('read APIs', runApis(start, findApis(recordings))),
    ),
    Promise.all([recorded, store]).then(([recordings, opened]) =>
      report.time('buckets', fillBuckets(opened, recordings)),
    ),
  ])
  const page = Promise.all([edge, databases]).then(([environments]) => {
    const first = environments.find((environment) => environment.home !== undefined)?.home
    return first === undefined ? undefined : awaitPage(first, everything)
  })
  const [environments, pageAfter] = await Promise.all([edge, page, everything])
  return {
    broken,
    environments,
    apis: findApis(await recorded),
    addresses,
    home,
    databaseDir: await postgres,
    pageAfter,
  }
}

function keep({ running, breakDown, home }: Start, name: string, process: Process): void {
  running.defer(process.stop)
  process.exited.then((code) => {
    if (!running.disposed) breakDown(new Fault(`${name} ended with ${code}: see ${home.logs}.`))
  })
}

async function record({ options, home, addresses }: Start): Promise<Recording[]> {
  const storeUrl = `http://127.0.0.1:${addresses.storePort}`
  const world = { folder: root, seed: home.seed, storeUrl, apiUrls: addresses.apiUrls }
  const library = openLibrary({
    folder: root,
    sources: SOURCES,
    programDir: 'infra',
    cacheDir: home.recordings,
    context: JSON.stringify(world),
    configure: (stack) => localise(stack, world),
  })
  await Promise.all(options.stacks.map(library.record))
  return Promise.all(library.recorded().map(library.record))
}

async function runPostgres(start: Start): Promise<string | undefined> {
  const { home, addresses } = start
  if (!addresses.embedded) return undefined
  const postgres = await startPostgres({ dataDir: home.postgres, ...addresses.embedded })
  keep(start, 'PostgreSQL', postgres)
  return postgres.dataDir
}

async function runStore({ home, addresses, running }: Start): Promise<Store> {
  const store = await startStore({ folder: home.store, port: addresses.storePort })
  running.defer(store.stop)
  return store
}

async function runEdge(start: Start, recordings: readonly Recording[]): Promise<Environment[]> {
  const { home, addresses } = start
  const cloudflare = createCloudflare()
  await putDeclared(cloudflare, recordings, join(root, 'infra'))
  const environments = listEnvironments(recordings, cloudflare, addresses.edgePort)
  const edge = await startEdge({
    cloudflare,
    port: addresses.edgePort,
    folder: home.edge,
    logFile: join(home.logs, 'edge.log'),
    nowhere: toNowherePage(environments),
    cronToken: derive(home.seed, 'cron'),
  })
  keep(start, 'workerd', edge)
  const databaseUrls = Object.fromEntries(
    findApis(recordings).map((api) => [api.stack, addresses.server.url(toDatabaseName(api))]),
  )
  const { edgePort } = addresses
  await writeEnvironmentFile(home.envFile, { environments, cloudflare, edgePort, databaseUrls })
  return environments
}

async function runApis(start: Start, apis: readonly DeclaredApi[]): Promise<void> {
  const { home, addresses } = start
  const started = apis.map(async (api) => {
    const reader = { name: toReader(api), password: addresses.readerPassword }
    const child = await startApi({
      api,
      databaseUrl: addresses.server.url(toDatabaseName(api), reader),
      logFile: join(home.logs, `${api.stack}-api.log`),
    })
    keep(start, `The read API of ${api.stack}`, child)
  })
  await Promise.all(started)
}

async function fillDatabases(start: Start, recordings: readonly Recording[]): Promise<void> {
  const apis = findApis(recordings)
  const { server, readerPassword } = start.addresses
  for (const role of new Set(apis.map(toReader))) await openReader(server, role, readerPassword)
  const filled = apis.map(async (api) => {
    const url = await openDatabase(server, toDatabaseName(api), toReader(api))
    await seedDatabase(url, {
      articles: start.options.articles,
      domains: { meridian: 'prod.localhost' },
      onProgress: ({ done, total }) => start.report.progress(api.stack, done, total),
    })
  })
  await Promise.all(filled)
}

async function fillBuckets(store: Store, recordings: readonly Recording[]): Promise<void> {
  for (const credential of findCredentials(recordings)) store.admit(credential)
  const buckets = await Promise.all(findBuckets(recordings).map(({ name }) => store.open(name)))
  await seedBuckets(buckets)
}

/** Backends share a server here, so that a database bears its stack's name too. */
function toDatabaseName({ stack, variables }: DeclaredApi): string {
  return `${variables.DATABASE_NAME}_${stack.replaceAll('-', '_')}`
}

function toReader({ variables }: DeclaredApi): string {
  return variables.DATABASE_USER ?? 'cms_api'
}
