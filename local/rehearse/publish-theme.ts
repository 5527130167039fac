import { appendFile, cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { environments } from '../../infra/environments.ts'
import { THEMES } from '../../themes/templates.ts'
import { requestLocal } from '../lib/local-request.ts'
import { root } from '../lib/paths.ts'
import { type CommandOutput, runToEnd } from '../lib/run-to-end.ts'
import { UserError } from '../lib/user-error.ts'
import type { Step } from './step.ts'

/** A template that all demo sites use. */
const TEMPLATE = 'templates/default/layout/search.liquid'
const MARK = '<!-- published by the rehearsal -->'
// A rehearsal does not always deploy the media stack that declares the bucket, so it uses another one.
const BUCKET = 'cms-edge-rehearsed-theme'
// Longest delay of a template change on a host without other visitors.
const MAX_DELAY_MS = 75_000

/** Runs `npm run publish-theme` four times: with a broken template, with --diff, to publish, to roll back. */
export const publishThemes: Step['run'] = async ({ cloud, workspace }, stack) => {
  const environment = environments[stack]
  if (environment.worker !== 'site' || environment.backend !== 'own')
    return `skipped: ${stack} has no database`
  const homeUrl = cloud.account.environments().find((each) => each.stack === stack)?.homeUrl
  const themes = join(workspace.folder, `themes-${stack}`)
  await cp(THEMES, themes, { recursive: true })
  await cloud.store.open(BUCKET)
  const { dataFolder, addresses } = cloud.context
  const prefix = `MEDIA_${environment.tier.name.toUpperCase()}_STORE`
  const env = {
    ...parseEnv(await readFile(dataFolder.envFile, 'utf8')),
    [`${prefix}_BUCKET`]: BUCKET,
    [`${prefix}_REGION`]: 'us-east-1',
    [`${prefix}_ENDPOINT`]: `http://127.0.0.1:${addresses.storePort}`,
  }
  const command = join(root, 'ops/publish-theme/index.ts')
  const publish = (...args: string[]) =>
    runToEnd({
      command: process.execPath,
      args: [command, stack, '--from', themes, ...args],
      cwd: workspace.folder,
      env,
    })
  const searchUrl = `${homeUrl}search`

  await appendFile(join(themes, TEMPLATE), '{% if %}\n')
  const broken = await publish()
  if (broken.code !== 1 || !broken.output.includes(`${TEMPLATE}:`))
    throw new UserError(broken.output)
  await cp(join(THEMES, TEMPLATE), join(themes, TEMPLATE))

  await appendFile(join(themes, TEMPLATE), `${MARK}\n`)
  const difference = await publish('--diff')
  if (!difference.output.includes(MARK)) throw new UserError(difference.output)
  await requireSuccess(publish())
  const published = await waitFor(searchUrl, (html) => html.includes(MARK))
  await requireSuccess(publish('--rollback'))
  const rolledBack = await waitFor(searchUrl, (html) => !html.includes(MARK))
  await rm(themes, { recursive: true })
  return `shown after ${published} s; rolled back after ${rolledBack} s; a broken template was rejected`
}

async function requireSuccess(command: Promise<CommandOutput>): Promise<void> {
  const { code, output } = await command
  if (code !== 0) throw new UserError(output)
}

/** Requests a page every second until it is as expected; returns the seconds since the call. */
async function waitFor(url: string, isExpected: (html: string) => boolean): Promise<number> {
  const start = Date.now()
  while (Date.now() - start < MAX_DELAY_MS) {
    const { body } = await requestLocal(url)
    if (isExpected(body.toString())) return Math.round((Date.now() - start) / 1000)
    await sleep(1000)
  }
  throw new UserError(`${url} does not show the change of ${TEMPLATE} after ${MAX_DELAY_MS} ms.`)
}
