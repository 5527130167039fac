import type { SettingsBundle } from '../../../contract/settings.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { toAffectedPaths } from './affected-paths.ts'
import type { InvalidationLog } from './log.ts'
import { CLAIM_RUN, commitStep, type Progress, recordFailure, WHOLE_HOST } from './queries.ts'

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
  openClient: OpenClient
  /** Current settings from the cache; undefined when the API has no such site. */
  readSettings: (scope: Scope) => Promise<{ bundle: SettingsBundle } | undefined>
}

/** Recorded as the revision while the API does not have the site. */
const NO_SITE = 'none'
/** A step is one call of `GET /changes`, which returns a part of the change log. */
const MAX_STEPS_PER_RUN = 20

/** Follows the change log, unless a run started less than five seconds ago. Logs a failure. */
export async function followChanges(deps: Deps, scope: Scope): Promise<void> {
  const { log, ports } = deps
  try {
    const claimed = await log.transact(CLAIM_RUN, { tries: 1 })
    if (claimed) await run(deps, claimed, scope)
  } catch (error) {
    ports.logEvent('error', { event: 'follow-changes', error: String(error) })
    await log.transact(recordFailure(String(error))).catch(() => {})
  }
}

async function run(deps: Deps, claimed: Progress, scope: Scope): Promise<void> {
  let from = claimed
  for (let steps = 0; steps < MAX_STEPS_PER_RUN; steps++) {
    const { to, paths } = await findStep(deps, from, scope)
    const isEnd = to.revision === from.revision && paths.length === 0
    if (!isEnd || steps === 0) await deps.log.transact(commitStep(from, to, paths))
    if (isEnd) return
    from = to
  }
}

async function findStep(
  deps: Deps,
  from: Progress,
  scope: Scope,
): Promise<{ to: Progress; paths: readonly string[] }> {
  const isFirst = from.revision === null || from.revision === NO_SITE
  // Without the breaker: no visitor waits for a run, and its probe should be the request of a visitor.
  const client = deps.openClient(scope, { breaker: undefined })
  const after = isFirst ? undefined : (from.revision ?? undefined)
  const result = await client.changes(deps.config.site, after, from.restoreId ?? undefined)
  if (result.type !== 'ok') {
    const to = { revision: NO_SITE, restoreId: null, settingsPending: false }
    return { to, paths: from.revision === NO_SITE ? [] : [WHOLE_HOST] }
  }
  const { revision, restore_id: restoreId, reset, settings, articles, scores } = result.value
  const affectsHost = isFirst || reset || settings || from.settingsPending
  // Invalidating the host before its new settings can be read would outdate pages that cannot be revalidated.
  const settingsPending = affectsHost && !(await canReadSettings(deps, scope))
  const to = { revision, restoreId, settingsPending }
  if (affectsHost && !settingsPending) return { to, paths: [WHOLE_HOST] }
  if (articles.length === 0 && !scores) return { to, paths: [] }
  const current = await deps.readSettings(scope)
  return { to, paths: current ? toAffectedPaths(result.value, current.bundle) : [WHOLE_HOST] }
}

async function canReadSettings({ config, ports, openClient }: Deps, scope: Scope) {
  try {
    await openClient(scope).settings(config.site)
    return true
  } catch (error) {
    ports.logEvent('error', { event: 'follow-changes', part: 'settings', error: String(error) })
    return false
  }
}
