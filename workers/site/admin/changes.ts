import { createClient } from '../../../contract/client.ts'
import type { Records } from '../cache/records.ts'
import { toClientOptions } from '../content.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { ReadSettings } from '../settings.ts'
import { forgetSettled } from './sweep.ts'
import { toTouchedPaths } from './touched.ts'
import type { Voids } from './void.ts'

type Tools = {
  config: Config
  ports: Ports
  records: Records
  readSettings: ReadSettings
  voids: Voids
}

/** Stands for the revision of a site that the API does not know. */
const NOWHERE = 'none'
const MAX_ANSWERS = 20
const MAX_PATHS = 300
/** KV takes one write a second per key. */
const KEY_PAUSE_MS = 1100

/**
 * What the cron does: voids what changed since the revision that was seen last, and only then remembers
 * the new one. A run that fails changes nothing, and the next one begins where it began.
 */
export async function followChanges(tools: Tools, scope: Scope): Promise<void> {
  const { config, ports, records } = tools
  const key = `changes:${config.host}`
  let seen = await ports.kv.get(key)
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const revision = await followOnce(tools, seen, scope)
    if (revision === seen) break
    await ports.kv.put(key, revision)
    seen = revision
    await ports.sleep(KEY_PAUSE_MS)
  }
  await records.read(scope)
  await forgetSettled(tools)
}

async function followOnce(tools: Tools, seen: string | null, scope: Scope): Promise<string> {
  const { config, ports } = tools
  const client = createClient(toClientOptions(config, ports, scope))
  const answer = await client.changes(
    config.site,
    seen === NOWHERE ? undefined : (seen ?? undefined),
  )
  if (answer.type !== 'ok') {
    if (seen !== NOWHERE) await voidSite(tools)
    return NOWHERE
  }
  const { revision, reset, settings, articles } = answer.value
  if (revision === seen) return revision
  const unknown = seen === null || seen === NOWHERE
  if (unknown || reset || settings) await voidSite(tools)
  else await voidPaths(tools, articles, scope)
  return revision
}

async function voidPaths(
  tools: Tools,
  articles: Parameters<typeof toTouchedPaths>[0],
  scope: Scope,
): Promise<void> {
  const settings = await tools.readSettings(scope)
  if (!settings) return voidSite(tools)
  const paths = toTouchedPaths(articles, settings.bundle)
  if (paths.length === 0) return
  if (paths.length > MAX_PATHS) return voidSite(tools)
  if ((await tools.voids.paths(paths)) === undefined) throw new Error('KV took no purge record')
}

async function voidSite({ ports, voids }: Tools): Promise<void> {
  if (!(await voids.site(ports.now()))) throw new Error('KV took no purge record')
}
