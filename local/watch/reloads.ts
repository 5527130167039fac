import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AccountRuntime } from '../account-runtime.ts'
import type { Capturer } from '../capture-stacks.ts'
import type { DeclaredServices } from '../cloud.ts'
import { prepareDatabases } from '../databases.ts'
import { findApis, findBuckets } from '../deploy/aws-resources.ts'
import { putDeclared } from '../deploy/cloudflare-resources.ts'
import { createAccount } from '../emulators/cloudflare/account.ts'
import type { CapturedStack } from '../emulators/pulumi/captured-stack.ts'
import type { Store } from '../emulators/s3/server.ts'
import { root } from '../lib/paths.ts'
import type { StartContext } from '../services.ts'
import * as services from '../services.ts'
import type { CloudPart } from './classify.ts'
import { reloadDemoContent } from './demo-content.ts'
import type { PageReloader } from './page-reloader.ts'
import { purgeObjects, purgeSites } from './purge-sites.ts'
import { reloadStylesheets } from './stylesheets.ts'
import { reloadTemplates } from './templates.ts'

/** Running services that a changed file can affect. */
export interface WatchedServices {
  context: StartContext
  account: AccountRuntime
  store: Store
  declared: DeclaredServices
  capturer: Capturer
  pageReloader: PageReloader
}

/** Name of each worker's bundle, by the part that contains the worker. */
const WORKERS = { 'site worker': 'site', 'media worker': 'media' } as const

/** Returns a function that reloads changed files, and returns a note on failed purges, or an empty text. */
export function createReloads(watched: WatchedServices) {
  const { context, store, declared, pageReloader, account } = watched
  return async (changed: ReadonlyMap<CloudPart, readonly string[]>): Promise<string> => {
    const hasAny = (...parts: CloudPart[]) => parts.some((part) => changed.has(part))
    const databaseUrls = Object.values(services.toDatabaseUrls(context, declared.captures))
    if (hasAny('migrations')) await prepareDatabases(context, declared.captures)
    if (hasAny('program')) await watched.capturer.stop()
    if (hasAny('program', 'stack file')) await captureAgain(watched)
    else if (hasAny('site worker', 'media worker')) await replaceWorkers(watched, changed)
    if (hasAny('read API')) for (const api of declared.runningApis.values()) await api.replace()
    await reloadDemoContent(changed.get('demo content') ?? [], databaseUrls)
    await reloadTemplates(changed.get('templates') ?? [], databaseUrls)
    const stylesheets = changed.get('stylesheets') ?? []
    if (stylesheets.length > 0) {
      const names = findBuckets(declared.captures).map(({ name }) => name)
      const buckets = await Promise.all(names.map((name) => store.open(name)))
      const keys = await reloadStylesheets(stylesheets, buckets, databaseUrls)
      await purgeObjects(account, context, keys)
    }
    const hasOnlyStylesheets = [...changed.keys()].every((part) => part === 'stylesheets')
    const failedPurges = hasOnlyStylesheets ? [] : await purgeSites(account)
    pageReloader.reload()
    return failedPurges.length === 0 ? '' : `; not purged: ${failedPurges.join(', ')}`
  }
}

/** Captures the stacks again, and reloads the services whose declaration changed. */
async function captureAgain(watched: WatchedServices): Promise<void> {
  const { context, store, declared, capturer } = watched
  const captures = await capturer.capture()
  await runDeclaredAccount(watched, captures)
  await services.prepareBuckets(context, store, captures)
  const apis = new Map(findApis(captures).map((api) => [JSON.stringify(api), api]))
  for (const [key, running] of declared.runningApis) {
    if (apis.has(key)) continue
    declared.runningApis.delete(key)
    await running.stop()
  }
  const added = [...apis].filter(([key]) => !declared.runningApis.has(key))
  if (added.length > 0) await prepareDatabases(context, captures)
  for (const [key, api] of added) {
    declared.runningApis.set(key, await services.runApi(context, api))
  }
  declared.captures = captures
}

/** Bundles and replaces the workers whose sources changed. */
async function replaceWorkers(
  watched: WatchedServices,
  changed: ReadonlyMap<CloudPart, unknown>,
): Promise<void> {
  const { bundle } = await import('../../infra/bundle.ts')
  const targets = Object.entries(WORKERS).flatMap(([part, target]) =>
    [...changed.keys()].some((each) => each === part) ? [target] : [],
  )
  const bundles = await Promise.all(targets.map((target) => bundle(target)))
  const captures = watched.declared.captures.map((stack) => ({
    ...stack,
    resources: stack.resources.map((resource) => {
      const bundled = bundles.find(({ file }) => file === resource.inputs.contentFile)
      if (!bundled) return resource
      return { ...resource, inputs: { ...resource.inputs, contentSha256: bundled.sha256 } }
    }),
  }))
  await runDeclaredAccount(watched, captures)
  watched.declared.captures = captures
}

/** Runs the account that the captures declare, if it differs from the running one. */
async function runDeclaredAccount(
  { account }: WatchedServices,
  captures: readonly CapturedStack[],
): Promise<void> {
  const next = createAccount()
  await putDeclared(next, captures, join(root, 'infra'))
  if (!isDeepStrictEqual(next, account.cloudflare)) await account.replace(next)
}
