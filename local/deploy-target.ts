import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAccount } from './account-runtime.ts'
import type { Cloud } from './cloud.ts'
import { prepareDatabases } from './databases.ts'
import { findApis, findBuckets, findCredentials } from './deploy/aws-resources.ts'
import { createCloudflareProvider } from './deploy/cloudflare-provider.ts'
import { type CloudflareAccount, createAccount } from './emulators/cloudflare/account.ts'
import { type Aws, createAws } from './emulators/pulumi/aws-provider.ts'
import type { CapturedStack, Resource } from './emulators/pulumi/captured-stack.ts'
import { serveProviders } from './emulators/pulumi/provider-server.ts'
import type { Store } from './emulators/s3/server.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import type { StartOptions } from './options.ts'
import type { StartContext } from './services.ts'
import * as services from './services.ts'

/** Content of the state file: the resources that were deployed. */
interface SavedState {
  cloudflare: { [Collection in keyof CloudflareAccount]?: [string, unknown][] }
  aws: Resource[]
}

/** A local cloud to which the Pulumi CLI and clients of Cloudflare's API deploy. */
export interface DeployTarget extends Cloud {
  cloudflare: CloudflareAccount
  aws: Aws
  store: Store
  /** Values of PULUMI_DEBUG_PROVIDERS; the second one is for machines without Cloudflare's provider. */
  providers: { aws: string; awsAndCloudflare: string }
}

/**
 * Starts a local cloud with the resources of the state file, at first none.
 *
 * @throws UserError when a service does not start, or ends during the start
 */
export async function startDeployTarget(
  options: StartOptions,
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<DeployTarget> {
  const { context, failure } = await services.prepare(options, report, cleanup)
  const target = await Promise.race([startServices(context), failure])
  return { ...target, failure }
}

async function startServices(context: StartContext): Promise<Omit<DeployTarget, 'failure'>> {
  const { dataFolder, addresses, report, cleanup } = context
  const [databaseDir, store, saved] = await Promise.all([
    report.time('postgres', services.runPostgres(context)),
    report.time('store', services.runStore(context)),
    readState(dataFolder.stateFile),
  ])
  const cloudflare = toCloudflare(saved.cloudflare)
  const reconcile = createReconciler(context, store)
  const applyChange = () => {
    account.update()
    save()
  }
  const aws = createAws({
    saved: saved.aws,
    toContext: (stack) => ({
      seed: dataFolder.secretSeed,
      region: 'us-east-1',
      functionUrl: addresses.apiUrls[stack],
    }),
    async onChange() {
      await reconcile(aws.captures())
      applyChange()
    },
  })
  const save = createStateWriter(dataFolder.stateFile, report, () => ({
    cloudflare: toEntries(cloudflare),
    aws: aws.all(),
  }))
  await report.time('AWS resources', reconcile(aws.captures()))
  const awsProvider = `aws:${addresses.awsPort}`
  const account = await report.time(
    'edge',
    startAccount(context, {
      cloudflare,
      captures: aws.captures,
      onChange: save,
      extraVariables: { PULUMI_DEBUG_PROVIDERS: awsProvider },
    }),
  )
  const providers = await serveProviders(
    {
      aws,
      cloudflare: createCloudflareProvider({
        cloudflare,
        secretSeed: dataFolder.secretSeed,
        programDir: join(root, 'infra'),
        onChange: applyChange,
      }),
    },
    { aws: addresses.awsPort },
  )
  cleanup.defer(async () => providers.stop())
  return {
    context,
    account,
    declaredApis: [],
    databaseDir,
    firstPageMs: undefined,
    cloudflare,
    aws,
    store,
    providers: { aws: awsProvider, awsAndCloudflare: providers.debugProviders },
  }
}

/** Returns a function that makes the running buckets, databases and read APIs match the declared ones. */
function createReconciler(context: StartContext, store: Store) {
  const runningApis = new Map<string, () => Promise<void>>()
  let applied = ''
  return async (captures: readonly CapturedStack[]): Promise<void> => {
    const apis = findApis(captures)
    const declared = [apis, findBuckets(captures), findCredentials(captures)]
    if (JSON.stringify(declared) === applied) return
    await Promise.all([
      services.prepareBuckets(context, store, captures),
      prepareDatabases(context, captures),
    ])
    const keys = apis.map((api) => JSON.stringify(api))
    for (const [key, stop] of runningApis) {
      if (keys.includes(key)) continue
      runningApis.delete(key)
      await stop()
    }
    for (const api of apis) {
      const key = JSON.stringify(api)
      if (!runningApis.has(key)) runningApis.set(key, (await services.runApi(context, api)).stop)
    }
    applied = JSON.stringify(declared)
  }
}

async function readState(file: string): Promise<SavedState> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? { cloudflare: {}, aws: [] } : JSON.parse(text)
}

function createStateWriter(file: string, report: Report, getState: () => SavedState) {
  const write = async () => {
    await writeFile(`${file}.part`, JSON.stringify(getState()), { mode: 0o600 })
    await rename(`${file}.part`, file)
  }
  let lastWrite: Promise<void> = Promise.resolve()
  return () => {
    lastWrite = lastWrite.then(write).catch((error) => {
      report.line(`  ${file} cannot be written: ${error.message}`)
    })
  }
}

function toEntries(cloudflare: CloudflareAccount): SavedState['cloudflare'] {
  const collections = Object.entries(cloudflare).map(([name, entries]) => [name, [...entries]])
  return Object.fromEntries(collections)
}

function toCloudflare(saved: SavedState['cloudflare']): CloudflareAccount {
  const names = Object.keys(createAccount()) as (keyof CloudflareAccount)[]
  const collections = names.map((name) => [name, new Map(saved[name])])
  return Object.fromEntries(collections)
}
