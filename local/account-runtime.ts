import { once } from 'node:events'
import { join } from 'node:path'
import { type DeployedEnvironment, listEnvironments } from './deploy/environments.ts'
import {
  type CloudflareAccount,
  copyAccount,
  replaceAccount,
} from './emulators/cloudflare/account.ts'
import { type LiveEdge, startLiveEdge } from './emulators/edge/live.ts'
import { purgeTags } from './emulators/edge/purge.ts'
import { pushCode } from './emulators/edge/push-code.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { derive } from './emulators/pulumi/stub-context.ts'
import { writeEnvironmentFile } from './environment-file.ts'
import { renderNotFoundPage } from './not-found-page.ts'
import { deriveOperatorCredential } from './operator.ts'
import { type StartContext, superviseProcess, toDatabaseUrls } from './services.ts'

/** Variables that direct Cloudflare's tools to the local API. */
interface ApiAccess {
  CLOUDFLARE_BASE_URL: string
  CLOUDFLARE_API_TOKEN: string
}

export interface AccountRuntime {
  cloudflare: CloudflareAccount
  environments(): DeployedEnvironment[]
  access: ApiAccess
  /** Soon restarts the edge, with the account's current content; rewrites the environment file. */
  update(): void
  /**
   * Replaces the account's content and runs it.
   *
   * @throws UserError when the edge cannot run the new content; then it runs the previous one again
   */
  replace(next: CloudflareAccount): Promise<void>
}

interface AccountDeps {
  cloudflare: CloudflareAccount
  /** Returns the stacks with the AWS resources that are currently declared. */
  captures(): readonly CapturedStack[]
  /** Additional variables for the environment file. */
  extraVariables?: Record<string, string>
  /** Called after each change made through the Cloudflare API. */
  onChange?: () => void
  /** Calls `replace`, which replaces workerd; the port is closed meanwhile. Present in watch mode. */
  duringReplacement?: (replace: () => Promise<void>) => Promise<void>
}

// The panel shows the last 200 requests; the log has other lines between them.
const MAX_LOG_LINES = 2000

function createRecentLines() {
  const lines: string[] = []
  return {
    lines: (): readonly string[] => lines,
    add(line: string) {
      lines.push(line)
      if (lines.length > MAX_LOG_LINES) lines.splice(0, MAX_LOG_LINES / 2)
    },
  }
}

/** Runs an account: the edge, the Cloudflare API that changes the account, and the panel. */
export async function startAccount(
  context: StartContext,
  deps: AccountDeps,
): Promise<AccountRuntime> {
  const { dataFolder, addresses, report } = context
  const { cloudflare, captures, onChange, duringReplacement } = deps
  const { edgePort, cloudflareApiPort } = addresses
  const environments = () => listEnvironments(cloudflare, edgePort)
  const edgeToken = derive(dataFolder.secretSeed, 'edge')
  const access = {
    CLOUDFLARE_BASE_URL: `http://127.0.0.1:${cloudflareApiPort}/client/v4`,
    CLOUDFLARE_API_TOKEN: derive(dataFolder.secretSeed, 'cloudflare', 40),
  }
  const environmentFile = createEnvironmentFileWriter(context, deps, { environments, access })
  const log = createRecentLines()
  const { createFaults, toEdgeFaults } = await import('./panel/faults.ts')
  const faults = createFaults({
    databaseUrls: () => Object.values(toDatabaseUrls(context, captures())),
    reloadEdge: () => edge.reload(),
  })
  const edge = await startLiveEdge({
    plan: () => ({
      cloudflare,
      port: addresses.workerdPort,
      folder: dataFolder.edge,
      logFile: join(dataFolder.logs, 'edge.log'),
      notFoundPage: renderNotFoundPage(environments()),
      edgeToken,
      replaceable: deps.duringReplacement !== undefined,
      panelPort: addresses.panelPort,
      faults: toEdgeFaults(faults.active()),
      onLogLine: log.add,
    }),
    ...(duringReplacement && { duringReplacement }),
    onFailure: (reason) => report.line(`  The edge cannot run the account's content: ${reason}`),
  })
  superviseProcess(context, 'workerd', edge)
  const update = () => {
    edge.reload()
    environmentFile.queueWrite()
  }
  const apiListening = openCloudflareApi(context, {
    cloudflare,
    token: access.CLOUDFLARE_API_TOKEN,
    purgeTags: (tags) => purgeTags({ folder: dataFolder.edge, port: edgePort, edgeToken }, tags),
    onChange() {
      update()
      onChange?.()
    },
  })
  const panel = import('./panel/start-panel.ts').then(({ startPanel }) =>
    startPanel(context, {
      cloudflare,
      environments,
      captures,
      logLines: log.lines,
      faults,
    }),
  )
  await Promise.all([apiListening, environmentFile.write(), panel])
  return {
    cloudflare,
    environments,
    access,
    update,
    async replace(next) {
      const runningEdge = { port: addresses.workerdPort, edgeToken }
      if (await pushCode(runningEdge, cloudflare, next)) replaceAccount(cloudflare, next)
      else await replaceAndRestart(cloudflare, next, edge)
      await environmentFile.write()
    },
  }
}

function createEnvironmentFileWriter(
  context: StartContext,
  { cloudflare, captures, extraVariables = {} }: AccountDeps,
  { environments, access }: Pick<AccountRuntime, 'environments' | 'access'>,
) {
  const { addresses, dataFolder, report } = context
  const write = () =>
    writeEnvironmentFile(dataFolder.envFile, {
      environments: environments(),
      cloudflare,
      edgePort: addresses.edgePort,
      databaseUrls: toDatabaseUrls(context, captures()),
      extraVariables: {
        ...access,
        ...toOperatorVariables(dataFolder.secretSeed),
        ...extraVariables,
      },
    })
  let lastWrite = Promise.resolve()
  return {
    write,
    /** Writes the file after the previous writes; reports a failure. */
    queueWrite() {
      lastWrite = lastWrite.then(write).catch((error) => {
        report.line(`  ${dataFolder.envFile} cannot be written: ${error.message}`)
      })
    },
  }
}

function toOperatorVariables(seed: string): Record<string, string> {
  const { accessKeyId, secretAccessKey } = deriveOperatorCredential(seed)
  return { OPERATOR_ACCESS_KEY_ID: accessKeyId, OPERATOR_SECRET_ACCESS_KEY: secretAccessKey }
}

/** Replaces the account's content and restarts workerd. When that fails, restarts it with the old content. */
async function replaceAndRestart(
  current: CloudflareAccount,
  next: CloudflareAccount,
  edge: LiveEdge,
): Promise<void> {
  const before = copyAccount(current)
  replaceAccount(current, next)
  await edge.replace().catch(async (error) => {
    replaceAccount(current, before)
    await edge.replace()
    throw error
  })
}

// Imports its modules lazily, so that the edge does not wait for them.
async function openCloudflareApi(
  { addresses, cleanup }: StartContext,
  deps: Parameters<
    typeof import('./emulators/cloudflare/cloudflare-api.ts').createCloudflareApi
  >[0],
): Promise<void> {
  const [{ createCloudflareApi }, { serve }] = await Promise.all([
    import('./emulators/cloudflare/cloudflare-api.ts'),
    import('@hono/node-server'),
  ])
  if (cleanup.disposed) return
  const { fetch } = createCloudflareApi(deps)
  const server = serve({ fetch, port: addresses.cloudflareApiPort, hostname: '127.0.0.1' })
  cleanup.defer(async () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await once(server, 'close')
  })
  await once(server, 'listening')
}
