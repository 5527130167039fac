import { join } from 'node:path'
import { type AccountRuntime, startAccount } from './account-runtime.ts'
import { captureStacks } from './capture-stacks.ts'
import type { Cloud } from './cloud.ts'
import { type DeclaredApi, findApis } from './deploy/aws-resources.ts'
import { putDeclared } from './deploy/cloudflare-resources.ts'
import { createCloudflare } from './emulators/cloudflare/account.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { awaitPage } from './first-page.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import type { Options } from './options.ts'
import type { Start } from './services.ts'
import * as parts from './services.ts'

/** Brings up everything that the stacks declare, as much of it at once as can be. */
export async function startCloud(
  options: Options,
  report: Report,
  running: AsyncDisposableStack,
): Promise<Cloud> {
  const { start, broken } = await parts.prepare(options, report, running)
  const postgres = report.time('postgres', parts.runPostgres(start))
  const store = report.time('store', parts.runStore(start))
  const captured = report.time('capture', captureStacks(start))
  const [captures, account, databaseDir] = await Promise.all([
    captured,
    captured.then((captures) => report.time('edge', runEdge(start, captures))),
    postgres,
    captured.then((captures) => report.time('read APIs', runApis(start, findApis(captures)))),
    Promise.all([captured, postgres]).then(([captures]) =>
      report.time('databases', parts.fillDatabases(start, captures)),
    ),
    Promise.all([captured, store]).then(([captures, opened]) =>
      report.time('buckets', parts.fillBuckets(start, opened, captures)),
    ),
  ])
  const first = account.environments().find((environment) => environment.home !== undefined)?.home
  const pageAfter = first === undefined ? undefined : await awaitPage(first)
  return { start, broken, account, apis: findApis(captures), databaseDir, pageAfter }
}

async function runEdge(start: Start, captures: readonly CapturedStack[]): Promise<AccountRuntime> {
  const cloudflare = createCloudflare()
  await putDeclared(cloudflare, captures, join(root, 'infra'))
  return startAccount(start, { cloudflare, captures: () => captures })
}

async function runApis(start: Start, apis: readonly DeclaredApi[]): Promise<void> {
  await Promise.all(apis.map((api) => parts.runApi(start, api)))
}
