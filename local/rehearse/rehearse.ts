import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environments, type Stack } from '../../infra/environments.ts'
import { startDeployTarget } from '../deploy-target.ts'
import { root } from '../lib/paths.ts'
import type { Report } from '../lib/report.ts'
import type { Rehearsal, Step } from './step.ts'
import { destroy, pulumi, steps } from './steps.ts'
import type { CliTools } from './tools.ts'
import { openWorkspace } from './workspace.ts'

/** Starts an empty local cloud in a temporary folder, and copies the Pulumi files in `stackFiles` for it. */
export async function openRehearsal(
  { cli, provider }: CliTools,
  cleanup: AsyncDisposableStack,
  stackFiles = root,
): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-edge-rehearsal-'))
  const foldersToRemove = [folder]
  cleanup.defer(async () => {
    for (const each of foldersToRemove) await rm(each, { recursive: true, force: true })
  })
  const data = join(folder, 'cloud')
  // Below the system's ephemeral ports, so that the read API's port is still free when the API is deployed.
  const port = randomInt(16_000, 30_000)
  const options = { port, data, articles: undefined, stacks: [], empty: true, watch: false }
  const cloud = await startDeployTarget(options, quietReport, cleanup)
  // PostgreSQL's data is in another folder when its user cannot enter this one.
  if (cloud.databaseDir) foldersToRemove.push(cloud.databaseDir)
  const { dataFolder, addresses } = cloud.context
  const workspace = await openWorkspace({
    folder: join(folder, 'pulumi'),
    cli,
    targets: {
      folder: stackFiles,
      seed: dataFolder.secretSeed,
      apiUrls: addresses.apiUrls,
      storeUrl: `http://127.0.0.1:${addresses.storePort}`,
    },
    access: {
      ...cloud.account.access,
      PULUMI_DEBUG_PROVIDERS: provider.isInstalled
        ? cloud.providers.aws
        : cloud.providers.awsAndCloudflare,
    },
  })
  const keepLogs = () => {
    foldersToRemove.length = 0
    return dataFolder.logs
  }
  return { cloud, workspace, keepLogs }
}

/** Rehearses a stack. The stacks that it refers to are deployed first and destroyed last. */
export async function rehearse(
  rehearsal: Rehearsal,
  stack: Stack,
  report: (title: string, work: Promise<string>) => Promise<void>,
): Promise<void> {
  const run = (step: Step, target: Stack, title = step.title) =>
    report(title, step.run(rehearsal, target))
  const references = findReferences(stack)
  for (const other of references) {
    await rehearsal.workspace.init(other)
    await run(up, other, `up ${other}, which ${stack} refers to`)
  }
  await rehearsal.workspace.init(stack)
  for (const step of steps) await run(step, stack)
  for (const each of [stack, ...references.toReversed()])
    await run(destroy, each, `destroy ${each}`)
}

const up: Step = { title: 'up', run: pulumi('up', '--yes', '--skip-preview') }

function findReferences(stack: Stack): Stack[] {
  const environment = environments[stack]
  const direct = [
    ...('promotes' in environment ? [environment.promotes] : []),
    ...(environment.worker === 'site' && environment.backend !== 'own'
      ? [environment.backend]
      : []),
  ]
  return direct.flatMap((name) => [...findReferences(name), name])
}

const quietReport: Report = {
  time: (_, work) => work,
  progress() {},
  table() {},
  line: (text) => console.error(text),
  times: () => '',
}
