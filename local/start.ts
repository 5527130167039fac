import { join } from 'node:path'
import { type AccountRuntime, startAccount } from './account-runtime.ts'
import type { Cloud } from './cloud.ts'
import { type DeclaredApi, findApis } from './deploy/aws-resources.ts'
import { putDeclared } from './deploy/cloudflare-resources.ts'
import { overrideForLocal } from './deploy/stack-overrides.ts'
import { createCloudflare } from './emulators/cloudflare/account.ts'
import { openCaptureCache } from './emulators/pulumi/capture-cache.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { awaitPage } from './first-page.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import type { Options } from './options.ts'
import type { Start } from './services.ts'
import * as parts from './services.ts'

/** What the declarations can depend on. */
const SOURCES = [
  'package-lock.json',
  ...['infra', 'workers', 'api', 'http', 'contract', 'prisma', 'themes', 'demo', 'local'],
]

/** Brings up everything that the stacks declare, as much of it at once as can be. */
export async function startCloud(
  options: Options,
  report: Report,
  running: AsyncDisposableStack,
): Promise<Cloud> {
  const { start, broken } = await parts.prepare(options, report, running)
  const postgres = report.time('postgres', parts.runPostgres(start))
  const store = report.time('store', parts.runStore(start))
  const recorded = report.time('recordings', record(start))
  const [recordings, account, databaseDir] = await Promise.all([
    recorded,
    recorded.then((recordings) => report.time('edge', runEdge(start, recordings))),
    postgres,
    recorded.then((recordings) => report.time('read APIs', runApis(start, findApis(recordings)))),
    Promise.all([recorded, postgres]).then(([recordings]) =>
      report.time('databases', parts.fillDatabases(start, recordings)),
    ),
    Promise.all([recorded, store]).then(([recordings, opened]) =>
      report.time('buckets', parts.fillBuckets(start, opened, recordings)),
    ),
  ])
  const first = account.environments().find((environment) => environment.home !== undefined)?.home
  const pageAfter = first === undefined ? undefined : await awaitPage(first)
  return { start, broken, account, apis: findApis(recordings), databaseDir, pageAfter }
}

async function record({ options, home, addresses }: Start): Promise<CapturedStack[]> {
  const storeUrl = `http://127.0.0.1:${addresses.storePort}`
  const world = { folder: root, seed: home.seed, storeUrl, apiUrls: addresses.apiUrls }
  const library = openCaptureCache({
    folder: root,
    sources: SOURCES,
    programDir: 'infra',
    cacheDir: home.recordings,
    context: JSON.stringify(world),
    configure: (stack) => overrideForLocal(stack, world),
  })
  await Promise.all(options.stacks.map(library.record))
  return Promise.all(library.recorded().map(library.record))
}

async function runEdge(
  start: Start,
  recordings: readonly CapturedStack[],
): Promise<AccountRuntime> {
  const cloudflare = createCloudflare()
  await putDeclared(cloudflare, recordings, join(root, 'infra'))
  return startAccount(start, { cloudflare, recordings: () => recordings })
}

async function runApis(start: Start, apis: readonly DeclaredApi[]): Promise<void> {
  await Promise.all(apis.map((api) => parts.runApi(start, api)))
}
