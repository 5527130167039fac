import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAccount } from './account-runtime.ts'
import type { Cloud } from './cloud.ts'
import { findApis, findBuckets, findCredentials } from './deploy/aws-resources.ts'
import { createCloudflareBackend } from './deploy/cloudflare-provider.ts'
import { type Cloudflare, createCloudflare } from './emulators/cloudflare/account.ts'
import { type Aws, createAws } from './emulators/pulumi/aws-provider.ts'
import type { CapturedStack, Resource } from './emulators/pulumi/captured-stack.ts'
import { serveProviders } from './emulators/pulumi/provider-server.ts'
import type { Store } from './emulators/s3/server.ts'
import { root } from './lib/paths.ts'
import type { Report } from './lib/report.ts'
import type { StartOptions } from './options.ts'
import type { Start } from './services.ts'
import * as parts from './services.ts'

/** Deployed resources as they are kept for the next start. */
interface State {
  cloudflare: { [Kind in keyof Cloudflare]?: [string, unknown][] }
  aws: Resource[]
}

export interface DeployTarget extends Cloud {
  cloudflare: Cloudflare
  aws: Aws
  store: Store
  /** Values of PULUMI_DEBUG_PROVIDERS: AWS, and Cloudflare too for where its own provider is missing. */
  providers: { aws: string; cloudflare: string }
}

/** Declares nothing: runs what comes in by Cloudflare's API and by providers for the Pulumi CLI. */
export async function startDeployTarget(
  options: StartOptions,
  report: Report,
  running: AsyncDisposableStack,
): Promise<DeployTarget> {
  const { start, broken } = await parts.prepare(options, report, running)
  const { home, addresses } = start
  const [databaseDir, store, held] = await Promise.all([
    report.time('postgres', parts.runPostgres(start)),
    report.time('store', parts.runStore(start)),
    readState(home.stateFile),
  ])
  const cloudflare = restore(held.cloudflare)
  const follow = createFollower(start, store)
  const aws = createAws({
    held: held.aws,
    factsOf: (stack) => {
      return { seed: home.seed, region: 'us-east-1', functionUrl: addresses.apiUrls[stack] }
    },
    async onChange() {
      await follow(aws.captures())
      change()
    },
  })
  const save = createSaver(home.stateFile, report, () => ({
    cloudflare: toEntries(cloudflare),
    aws: aws.all(),
  }))
  await report.time('backends', follow(aws.captures()))
  const providers = await serveProviders(
    {
      aws,
      cloudflare: createCloudflareBackend({
        ...{ cloudflare, seed: home.seed, programDir: join(root, 'infra') },
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
      ...{ cloudflare, captures: aws.captures, onChange: save },
      more: { PULUMI_DEBUG_PROVIDERS: awsAddress },
    }),
  )
  const change = () => {
    account.update()
    save()
  }
  return {
    ...{ start, broken, account, apis: [], databaseDir, pageAfter: undefined },
    ...{ cloudflare, aws, store },
    providers: { aws: awsAddress, cloudflare: `${awsAddress},${cloudflareAddress}` },
  }
}

/** Keeps buckets, databases and read APIs in step with what is declared. */
function createFollower(start: Start, store: Store) {
  const running = new Map<string, () => Promise<void>>()
  let seen = ''
  return async (captures: readonly CapturedStack[]): Promise<void> => {
    const apis = findApis(captures)
    const wanted = [apis, findBuckets(captures), findCredentials(captures)]
    if (JSON.stringify(wanted) === seen) return
    await Promise.all([
      parts.fillBuckets(start, store, captures),
      parts.fillDatabases(start, captures),
    ])
    const keys = apis.map((api) => JSON.stringify(api))
    for (const [key, stop] of running) {
      if (keys.includes(key)) continue
      running.delete(key)
      await stop()
    }
    for (const api of apis) {
      const key = JSON.stringify(api)
      if (!running.has(key)) running.set(key, (await parts.runApi(start, api)).stop)
    }
    seen = JSON.stringify(wanted)
  }
}

async function readState(file: string): Promise<State> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? { cloudflare: {}, aws: [] } : JSON.parse(text)
}

function createSaver(file: string, report: Report, toState: () => State) {
  const write = async () => {
    await writeFile(`${file}.part`, JSON.stringify(toState()), { mode: 0o600 })
    await rename(`${file}.part`, file)
  }
  let turn: Promise<void> = Promise.resolve()
  return () => {
    turn = turn.then(write).catch((error) => {
      report.line(`  ${file} cannot be written: ${error.message}`)
    })
  }
}

function toEntries(cloudflare: Cloudflare): State['cloudflare'] {
  const kinds = Object.entries(cloudflare).map(([kind, entries]) => [kind, [...entries]])
  return Object.fromEntries(kinds)
}

function restore(held: State['cloudflare']): Cloudflare {
  const kinds = Object.keys(createCloudflare()) as (keyof Cloudflare)[]
  const entries = kinds.map((kind) => [kind, new Map(held[kind])])
  return Object.fromEntries(entries)
}
