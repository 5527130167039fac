import { join } from 'node:path'
import { type AccountRuntime, startAccount } from './account-runtime.ts'
import { type Capturer, createCapturer } from './capture-stacks.ts'
import type { Cloud, DeclaredServices } from './cloud.ts'
import { findApis } from './deploy/aws-resources.ts'
import { putDeclared } from './deploy/cloudflare-resources.ts'
import { createAccount } from './emulators/cloudflare/account.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { awaitPage } from './first-page.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import type { StartOptions } from './options.ts'
import type { StartContext } from './services.ts'
import * as services from './services.ts'
import type { PageReloader } from './watch/page-reloader.ts'
import type { WatchedServices } from './watch/reloads.ts'

/**
 * Starts the services that the stacks declare, in parallel where possible, and waits for the first page.
 *
 * @throws UserError when a service does not start, or ends during the start
 */
export async function startCloud(
  options: StartOptions,
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<Cloud> {
  const { context, failure } = await services.prepare(options, report, cleanup)
  const cloud = await Promise.race([startServices(context), failure])
  return { ...cloud, failure }
}

async function startServices(context: StartContext): Promise<Omit<Cloud, 'failure'>> {
  const { options, report, cleanup } = context
  const capturer = createCapturer(context)
  cleanup.defer(capturer.stop)
  const postgres = report.time('postgres', services.runPostgres(context))
  const openedStore = report.time('store', services.runStore(context))
  const captured = report.time('capture', captureFirst(capturer, options))
  const pageReloader = options.watch ? await startPageReloader(context) : undefined
  const declared: DeclaredServices = { captures: [], runningApis: new Map() }
  const [captures, account, databaseDir, store] = await Promise.all([
    captured,
    captured.then((captures) => {
      declared.captures = captures
      return report.time('edge', runEdge(context, declared, pageReloader))
    }),
    postgres,
    openedStore,
    captured.then((captures) => report.time('read APIs', runApis(context, declared, captures))),
    Promise.all([captured, postgres]).then(([captures]) =>
      report.time('databases', prepareDatabases(context, captures)),
    ),
    Promise.all([captured, openedStore]).then(([captures, opened]) =>
      report.time('buckets', services.prepareBuckets(context, opened, captures)),
    ),
  ])
  const [homeUrl] = account.environments().flatMap((environment) => environment.homeUrl ?? [])
  const firstPageMs = homeUrl === undefined ? undefined : await awaitPage(homeUrl)
  if (pageReloader) {
    await startWatch({ context, account, store, declared, capturer, pageReloader })
  }
  return {
    context,
    account,
    declaredApis: findApis(captures),
    databaseDir,
    firstPageMs,
  }
}

// Imports the database client lazily: the first page does not need it, so the edge does not wait for it.
async function prepareDatabases(
  context: StartContext,
  captures: readonly CapturedStack[],
): Promise<void> {
  const databases = await import('./databases.ts')
  await databases.prepareDatabases(context, captures)
}

async function startWatch(watched: WatchedServices): Promise<void> {
  const { watchProject } = await import('./watch/watch.ts')
  watchProject(watched)
}

async function startPageReloader({ addresses, cleanup }: StartContext): Promise<PageReloader> {
  const { openPageReloader } = await import('./watch/page-reloader.ts')
  const pageReloader = await openPageReloader(addresses.edgePort, addresses.workerdPort)
  cleanup.defer(pageReloader.stop)
  return pageReloader
}

// Only watch mode captures again, so otherwise the process that runs the program is no longer needed.
async function captureFirst(capturer: Capturer, { watch }: StartOptions): Promise<CapturedStack[]> {
  const captures = await capturer.capture()
  if (!watch) await capturer.stop()
  return captures
}

async function runEdge(
  context: StartContext,
  declared: DeclaredServices,
  pageReloader: PageReloader | undefined,
): Promise<AccountRuntime> {
  const cloudflare = createAccount()
  await putDeclared(cloudflare, declared.captures, join(root, 'infra'))
  return startAccount(context, {
    cloudflare,
    captures: () => declared.captures,
    ...(pageReloader && { duringReplacement: pageReloader.pauseDuring }),
  })
}

// One after the other: workerd starts at the same time, and the first page needs only the first read API.
async function runApis(
  context: StartContext,
  { runningApis }: DeclaredServices,
  captures: readonly CapturedStack[],
): Promise<void> {
  for (const api of findApis(captures)) {
    runningApis.set(JSON.stringify(api), await services.runApi(context, api))
  }
}
