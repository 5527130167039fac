import { join } from 'node:path'
import { type Addresses, chooseAddresses } from './addresses.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import {
  type DeclaredApi,
  findApis,
  findBuckets,
  findCredentials,
  toApiRole,
  toDatabaseName,
} from './deploy/aws-resources.ts'
import { startApi } from './deploy/read-api.ts'
import { deriveSecret } from './deploy/stack-overrides.ts'
import { startPostgres } from './emulators/postgres/postgres.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { type Store, startStore } from './emulators/s3/server.ts'
import type { Report } from './lib/report.ts'
import type { SupervisedProcess } from './lib/spawn-supervised.ts'
import { UserError } from './lib/user-error.ts'
import { deriveOperatorCredential } from './operator.ts'
import type { StartOptions } from './options.ts'
import { type RunningApi, superviseApi } from './read-api-supervisor.ts'
import { seedBuckets } from './seed-buckets.ts'

/** Context shared by all start-up steps. */
export interface StartContext {
  options: StartOptions
  report: Report
  dataFolder: DataFolder
  addresses: Addresses
  /** Stops what has been started, last first. */
  cleanup: AsyncDisposableStack
  /** Ends the local cloud with an error. */
  fail: (error: UserError) => void
  /** Current problems by subject; the panel shows them. */
  notices: Map<string, string>
}

/** Opens the data folder and chooses the addresses. `failure` rejects when `context.fail` is called. */
export async function prepare(
  options: StartOptions,
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<{ context: StartContext; failure: Promise<never> }> {
  const dataFolder = await openDataFolder(options.data)
  const addresses = await chooseAddresses(options, dataFolder)
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  return {
    context: { options, report, dataFolder, addresses, cleanup, fail, notices: new Map() },
    failure,
  }
}

/** Stops a process at shutdown, and ends the local cloud with an error when the process ends earlier. */
export function superviseProcess(
  { cleanup, fail, dataFolder }: StartContext,
  name: string,
  { exited, stop }: Pick<SupervisedProcess, 'exited' | 'stop'>,
): void {
  cleanup.defer(stop)
  exited.then((code) => {
    if (!cleanup.disposed) {
      fail(new UserError(`${name} ended with ${code}: see ${dataFolder.logs}.`))
    }
  })
}

/** Starts PostgreSQL and returns its data directory; undefined when DATABASE_URL names a running server. */
export async function runPostgres(context: StartContext): Promise<string | undefined> {
  const { dataFolder, addresses } = context
  if (!addresses.embedded) return undefined
  const postgres = await startPostgres({ dataDir: dataFolder.postgres, ...addresses.embedded })
  superviseProcess(context, 'PostgreSQL', postgres)
  return postgres.dataDir
}

export async function runStore({ dataFolder, addresses, cleanup }: StartContext): Promise<Store> {
  const store = await startStore({ folder: dataFolder.store, port: addresses.storePort })
  cleanup.defer(store.stop)
  return store
}

/** Starts a read API; restarts it when it ends by itself. */
export async function runApi(context: StartContext, api: DeclaredApi): Promise<RunningApi> {
  const { dataFolder, addresses, options, notices, report, cleanup } = context
  const apiRole = { name: toApiRole(api), password: addresses.apiRolePassword }
  const subject = `The read API of ${api.stack}`
  const supervised = await superviseApi({
    launch: (port) =>
      startApi({
        api,
        databaseUrl: addresses.databaseServer.url(toDatabaseName(api), apiRole),
        docsKey: deriveSecret(dataFolder.secretSeed, api.stack, 'CMS_API_KEY'),
        // Source maps make the start 1.5 times as long.
        hasSourceMaps: options.watch,
        logFile: join(dataFolder.logs, `${api.stack}-api.log`),
        port,
      }),
    port: Number(new URL(api.url).port),
    isWatching: options.watch,
    onNotice(event, isUp) {
      report.line(`  ${subject} ${event}`)
      if (isUp) notices.delete(subject)
      else notices.set(subject, `${subject} ${event}`)
    },
  })
  cleanup.defer(supervised.stop)
  return supervised
}

/** Opens and seeds the declared buckets; adds the declared credentials and the operator's to the store. */
export async function prepareBuckets(
  context: StartContext,
  store: Store,
  captures: readonly CapturedStack[],
): Promise<void> {
  for (const credential of findCredentials(captures)) store.addCredential(credential)
  store.addCredential(deriveOperatorCredential(context.dataFolder.secretSeed))
  const buckets = await Promise.all(findBuckets(captures).map(({ name }) => store.open(name)))
  await seedBuckets(buckets)
}

/** Returns the database URLs with the owner's credentials, by the stack that declares the read API. */
export function toDatabaseUrls(
  { addresses }: StartContext,
  captures: readonly CapturedStack[],
): Record<string, string> {
  const apis = findApis(captures)
  return Object.fromEntries(
    apis.map((api) => [api.stack, addresses.databaseServer.url(toDatabaseName(api))]),
  )
}
