import * as aws from '@pulumi/aws'
import type * as pulumi from '@pulumi/pulumi'
import type { Tier } from '../environments.ts'
import type { DeclaredDatabase } from './database.ts'

export interface AlarmArgs {
  tier: Tier
  functionName: pulumi.Output<string>
  database: DeclaredDatabase
  /** SNS topic for notifications; without it, alarms are visible only in the console. */
  topicArn: string | undefined
}

/** A condition that raises an alarm: the metric is above or below a value. */
interface Threshold {
  name: string
  metric: string
  above?: number
  below?: number
  /** Minutes for which the threshold must be crossed; by default 10 of the last 15. */
  minutes?: number
  /** Statistic of the metric, such as its 95th percentile `p95`. */
  statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | `p${number}`
}

/** Declares alarms on the API function and, unless it is external, on the database. */
export function declareAlarms({ tier, functionName, database, topicArn }: AlarmArgs) {
  const alarmActions = topicArn === undefined ? [] : [topicArn]
  const declare = (
    namespace: string,
    dimensions: Record<string, pulumi.Input<string>>,
    thresholds: readonly Threshold[],
  ) => {
    for (const threshold of thresholds) {
      new aws.cloudwatch.MetricAlarm(threshold.name, {
        namespace,
        dimensions,
        ...toArgs(threshold),
        alarmActions,
        okActions: alarmActions,
      })
    }
  }
  declare('AWS/Lambda', { FunctionName: functionName }, FUNCTION_THRESHOLDS)
  declare('cms-edge', { FunctionName: functionName }, CONTENT_THRESHOLDS)
  if (database.instance === undefined) return
  declare('AWS/RDS', { DBInstanceIdentifier: database.instance }, toDatabaseThresholds(tier))
}

// Durations are in milliseconds.
const FUNCTION_THRESHOLDS: Threshold[] = [
  { name: 'errors', metric: 'Errors', statistic: 'Sum', above: 0 },
  { name: 'throttles', metric: 'Throttles', statistic: 'Sum', above: 0 },
  { name: 'duration', metric: 'Duration', statistic: 'p95', above: 2000 },
]

// The read API logs this metric once for each omitted value and revision (api/omissions/omission-log.ts).
const CONTENT_THRESHOLDS: Threshold[] = [
  { name: 'broken-rows', metric: 'Omissions', statistic: 'Sum', above: 0, minutes: 5 },
]

function toDatabaseThresholds({ database }: Tier): Threshold[] {
  return [
    {
      name: 'connections',
      metric: 'DatabaseConnections',
      statistic: 'Maximum',
      above: 0.8 * database.maxConnections,
    },
    {
      name: 'storage',
      metric: 'FreeStorageSpace',
      statistic: 'Minimum',
      below: 0.1 * database.storageGb * 1024 ** 3,
    },
    // A new t4g instance starts without credits and gets 12 to 24 an hour, so it may have few for hours.
    {
      name: 'cpu-credits',
      metric: 'CPUCreditBalance',
      statistic: 'Minimum',
      below: 20,
      minutes: 180,
    },
  ]
}

const PERIOD_SECONDS = 300

function toArgs({ metric, above, below, statistic, minutes }: Threshold) {
  const periods = minutes && (minutes * 60) / PERIOD_SECONDS
  return {
    metricName: metric,
    period: PERIOD_SECONDS,
    evaluationPeriods: periods ?? 3,
    datapointsToAlarm: periods ?? 2,
    treatMissingData: 'notBreaching',
    threshold: above ?? below,
    comparisonOperator: above === undefined ? 'LessThanThreshold' : 'GreaterThanThreshold',
    ...(statistic.startsWith('p') ? { extendedStatistic: statistic } : { statistic }),
  }
}
