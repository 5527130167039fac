import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAccount } from './account-runtime.ts'
import type { Cloud } from './cloud.ts'
import { findApis, findBuckets, findCredentials } from './deploy/aws-resources.ts'
import { createCloudflareBackend } from './deploy/cloudflare-provider.ts'
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

/** Contents of the state file. */
interface SavedState {
  cloudflare: { [Collection in keyof CloudflareAccount]?: [string, unknown][] }
  aws: Resource[]
}

export interface DeployTarget extends Cloud {
  cloudflare: CloudflareAccount
  aws: Aws
  store: Store
  /** Values of PULUMI_DEBUG_PROVIDERS: for AWS only, and for both where Cloudflare's provider is not installed. */
  providers: { aws: string; cloudflare: string }
}

/** Starts a cloud without resources; Cloudflare's API and the Pulumi CLI add them. */
export async function startDeployTarget(
  options: StartOptions,
  report: Report,
  running: AsyncDisposableStack,
): Promise<DeployTarget> {
  const { start, failure } = await services.prepare(options, report, running)
  const { dataFolder, addresses } = start
  const [databaseDir, store, saved] = await Promise.all([
    report.time('postgres', services.runPostgres(start)),
    report.time('store', services.runStore(start)),
    readState(dataFolder.stateFile),
  ])
  const cloudflare = toCloudflare(saved.cloudflare)
  const reconcile = createReconciler(start, store)
  const aws = createAws({
    saved: saved.aws,
    toContext: (stack) => {
      return { seed: dataFolder.seed, region: 'us-east-1', functionUrl: addresses.apiUrls[stack] }
    },
    async onChange() {
      await reconcile(aws.captures())
      change()
    },
  })
  const save = createSaver(dataFolder.stateFile, report, () => ({
    cloudflare: toEntries(cloudflare),
    aws: aws.all(),
  }))
  await report.time('backends', reconcile(aws.captures()))
  const providers = await serveProviders(
    {
      aws,
      cloudflare: createCloudflareBackend({
        cloudflare,
        seed: dataFolder.seed,
        programDir: join(root, 'infra'),
        onChange: () => change(),
      }),
    },
    { aws: addresses.awsPort },
  )
  running.defer(async () => providers.stop())
  const [awsAddress = '', cloudflareAddress = ''] = providers.address.split(',')
  const account = await report.time(
    'edge',
    startAccount(start, {
      cloudflare,
      captures: aws.captures,
      onChange: save,
      extraVariables: { PULUMI_DEBUG_PROVIDERS: awsAddress },
    }),
  )
  const change = () => {
    account.update()
    save()
  }
  return {
    start,
    failure,
    account,
    apis: [],
    databaseDir,
    firstPageMs: undefined,
    cloudflare,
    aws,
    store,
    providers: { aws: awsAddress, cloudflare: `${awsAddress},${cloudflareAddress}` },
  }
}

/** Returns a function that applies declarations to the buckets, databases and read APIs. */
function createReconciler(start: StartContext, store: Store) {
  const running = new Map<string, () => Promise<void>>()
  let applied = ''
  return async (captures: readonly CapturedStack[]): Promise<void> => {
    const apis = findApis(captures)
    const declared = [apis, findBuckets(captures), findCredentials(captures)]
    if (JSON.stringify(declared) === applied) return
    await Promise.all([
      services.prepareBuckets(start, store, captures),
      services.prepareDatabases(start, captures),
    ])
    const keys = apis.map((api) => JSON.stringify(api))
    for (const [key, stop] of running) {
      if (keys.includes(key)) continue
      running.delete(key)
      await stop()
    }
    for (const api of apis) {
      const key = JSON.stringify(api)
      if (!running.has(key)) running.set(key, (await services.runApi(start, api)).stop)
    }
    applied = JSON.stringify(declared)
  }
}

async function readState(file: string): Promise<SavedState> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? { cloudflare: {}, aws: [] } : JSON.parse(text)
}

function createSaver(file: string, report: Report, toState: () => SavedState) {
  const write = async () => {
    await writeFile(`${file}.part`, JSON.stringify(toState()), { mode: 0o600 })
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
