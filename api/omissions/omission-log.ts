import type { Logger } from '../log.ts'
import type { Omission } from './source-row.ts'

export interface OmissionLog {
  /** Logs values of a response that were omitted or replaced, but not again as long as the revision stays the same. */
  record(site: { id: number; revision: string }, omissions: readonly Omission[]): void
  /** Returns the number of different omissions at that revision of each site that this process recorded last. */
  count(): number
}

/** Maximum number per site and revision; further omissions are neither logged nor counted. */
const MAX_RECORDED = 10_000

/**
 * Creates the log of omissions, which also writes the metric `Omissions` with the given dimensions: on Lambda, the name
 * of the function.
 */
export function createOmissionLog(
  log: Logger,
  dimensions: Record<string, string> = {},
): OmissionLog {
  const recorded = new Map<number, { revision: string; keys: Set<string> }>()
  return {
    record: (site, omissions) => {
      const previous = recorded.get(site.id)
      const current =
        previous?.revision === site.revision
          ? previous
          : { revision: site.revision, keys: new Set<string>() }
      recorded.set(site.id, current)
      for (const { table, id, field } of omissions) {
        const key = `${table} ${id} ${field}`
        if (current.keys.has(key) || current.keys.size === MAX_RECORDED) continue
        current.keys.add(key)
        const metric = toMetric('Omissions', 1, dimensions)
        const omission = { site_id: site.id, revision: site.revision, table, id, field }
        log.warn(
          { omission, ...metric },
          'value omitted or replaced: the row does not match the contract',
        )
      }
    },
    count: () => [...recorded.values()].reduce((sum, { keys }) => sum + keys.size, 0),
  }
}

/** Namespace of the API's own metrics. */
const METRIC_NAMESPACE = 'cms-edge'

/** Returns log fields that CloudWatch extracts as a metric (CloudWatch, "Embedded metric format specification"). */
function toMetric(name: string, value: number, dimensions: Record<string, string>) {
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: METRIC_NAMESPACE,
          Dimensions: [Object.keys(dimensions)],
          Metrics: [{ Name: name, Unit: 'Count' }],
        },
      ],
    },
    [name]: value,
    ...dimensions,
  }
}
