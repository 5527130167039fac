import * as z from 'zod/mini'
import type { ArticleChange } from '../../../contract/changes.ts'
import { parseJson } from '../cache/json.ts'
import { toPageTarget } from '../cache/page-entry.ts'
import type { ReadSettings } from '../cache/settings-entry.ts'
import type { Layers } from '../cache/tiered-cache.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { SITEMAP_PATH } from '../rendering/route.ts'
import { toTouchedPaths } from './affected-paths.ts'
import { forgetSettled } from './delete-purged-entries.ts'
import type { Voids } from './invalidator.ts'
import type { Records } from './records.ts'

type Tools = {
  config: Config
  ports: Ports
  layers: Layers
  records: Records
  readSettings: ReadSettings
  voids: Voids
  openClient: OpenClient
}

/** Stands for the revision of a site that the API does not know. */
const NOWHERE = 'none'
/** A run takes at most so many; with what the record's forgetting takes it stays below KV's 1,000 operations. */
const MAX_ANSWERS = 20
const MAX_PATHS = 250
/** KV takes one write a second per key. */
const KEY_PAUSE_MS = 1100

/** How far the changes have been followed, and when they last voided the whole host; 0: never. */
const Followed = z.object({ revision: z.string(), floor: z.int() })
type Followed = z.infer<typeof Followed>

/**
 * What the cron does: voids what changed since the revision that was seen last, and only then remembers
 * the new one. A run that fails changes nothing; the next one begins where it began, or where a full run ended.
 */
export async function followChanges(tools: Tools, scope: Scope): Promise<void> {
  const { config, ports, records } = tools
  const key = `changes:${config.host}`
  const before = parseJson((await ports.kv.get(key)) ?? '', Followed)
  if (before) await restoreFloor(tools, before)
  let followed = before
  let left = MAX_PATHS
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const step = await followOnce(tools, followed?.revision, left, scope)
    if (!step || step.revision === followed?.revision) break
    const floor = step.floor ?? followed?.floor ?? 0
    followed = { revision: step.revision, floor }
    await ports.kv.put(key, JSON.stringify(followed))
    left -= step.paths
    await ports.sleep(KEY_PAUSE_MS)
  }
  await records.read(scope)
  await forgetSettled(tools)
  if (followed !== before) await walkSitemap(tools, scope)
}

// Pages stay in KV when the cron voids the host, so a purge elsewhere that overwrote the floor would bring them back.
async function restoreFloor({ records }: Tools, { floor }: Followed): Promise<void> {
  if (floor > 0 && !(await records.restore({ floor, paths: {} }))) throw refused()
}

/** `floor` is set where the whole host was voided. */
type Step = { revision: string; floor?: number; paths: number }

// Undefined: the changes touch more paths than are left to this run.
async function followOnce(
  tools: Tools,
  seen: string | undefined,
  left: number,
  scope: Scope,
): Promise<Step | undefined> {
  const { config, openClient } = tools
  const answer = await openClient(scope).changes(config.site, seen === NOWHERE ? undefined : seen)
  if (answer.type !== 'ok') {
    if (seen === NOWHERE) return { revision: NOWHERE, paths: 0 }
    return { revision: NOWHERE, floor: await voidSite(tools), paths: 0 }
  }
  const { revision, reset, settings, articles } = answer.value
  if (revision === seen) return { revision, paths: 0 }
  const unknown = seen === undefined || seen === NOWHERE
  const paths = unknown || reset || settings ? undefined : await findPaths(tools, articles, scope)
  if (!paths || paths.length > MAX_PATHS) {
    return { revision, floor: await voidSite(tools), paths: 0 }
  }
  if (paths.length > left) return undefined
  if (paths.length > 0 && (await tools.voids.paths(paths)) === undefined) throw refused()
  return { revision, paths: paths.length }
}

// Undefined: without settings nobody knows.
async function findPaths(
  tools: Tools,
  articles: readonly ArticleChange[],
  scope: Scope,
): Promise<string[] | undefined> {
  const settings = await tools.readSettings(scope)
  return settings && toTouchedPaths(articles, settings.bundle)
}

async function voidSite({ ports, voids }: Tools): Promise<number> {
  const floor = ports.now()
  if (!(await voids.site(floor))) throw refused()
  return floor
}

const refused = (): Error => new Error('KV took no purge record')

// The whole walk is too long for a reader to wait for; one that fails is logged, and is the next reader's.
async function walkSitemap(tools: Tools, scope: Scope): Promise<void> {
  await tools.layers.read(toPageTarget(tools, SITEMAP_PATH), scope).catch(() => undefined)
}
