import * as aws from '@pulumi/aws'
import type * as pulumi from '@pulumi/pulumi'
import type { Tier } from '../environments.ts'
import type { Database } from './database.ts'

export interface AlarmArgs {
  tier: Tier
  functionName: pulumi.Output<string>
  database: Database
  /** SNS topic for notifications; without one alarms show in the console only. */
  topicArn: string | undefined
}

interface Threshold {
  name: string
  metric: string
  above?: number
  below?: number
  /** A statistic, or a percentile such as p95. */
  /** Minutes that it lasts before the alarm; 10 of 15 by default. */
  minutes?: number
  by: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | `p${number}`
}

/** Alarms on the function and, where it is ours, on the database. */
export function declareAlarms({ tier, functionName, database, topicArn }: AlarmArgs) {
  const alarmActions = topicArn === undefined ? [] : [topicArn]
  const declare =
    (namespace: string, dimensions: aws.cloudwatch.MetricAlarmArgs['dimensions']) =>
    (threshold: Threshold) =>
      new aws.cloudwatch.MetricAlarm(threshold.name, {
        namespace,
        dimensions,
        ...toArgs(threshold),
        alarmActions,
        okActions: alarmActions,
      })
  onFunction.forEach(declare('AWS/Lambda', { FunctionName: functionName }))
  onContent.forEach(declare('cms-edge', { FunctionName: functionName }))
  if (database.instance === undefined) return
  onDatabase(tier).forEach(declare('AWS/RDS', { DBInstanceIdentifier: database.instance }))
}

const onFunction: Threshold[] = [
  { name: 'errors', metric: 'Errors', by: 'Sum', above: 0 },
  { name: 'throttles', metric: 'Throttles', by: 'Sum', above: 0 },
  { name: 'duration', metric: 'Duration', by: 'p95', above: 2000 },
]

// The read API logs this metric once for each broken row and revision (api/omissions/omission-log.ts).
const onContent: Threshold[] = [
  { name: 'broken-rows', metric: 'Omissions', by: 'Sum', above: 0, minutes: 5 },
]

function onDatabase({ database }: Tier): Threshold[] {
  return [
    {
      name: 'connections',
      metric: 'DatabaseConnections',
      by: 'Maximum',
      above: 0.8 * database.maxConnections,
    },
    {
      name: 'storage',
      metric: 'FreeStorageSpace',
      by: 'Minimum',
      below: 0.1 * database.storageGb * 1024 ** 3,
    },
    // A new t4g starts without credits and earns 12 to 24 an hour.
    { name: 'cpu-credits', metric: 'CPUCreditBalance', by: 'Minimum', below: 20, minutes: 180 },
  ]
}

const PERIOD_SECONDS = 300

function toArgs({ metric, above, below, by, minutes }: Threshold) {
  const periods = minutes && (minutes * 60) / PERIOD_SECONDS
  return {
    metricName: metric,
    period: PERIOD_SECONDS,
    evaluationPeriods: periods ?? 3,
    datapointsToAlarm: periods ?? 2,
    treatMissingData: 'notBreaching',
    threshold: above ?? below,
    comparisonOperator: above === undefined ? 'LessThanThreshold' : 'GreaterThanThreshold',
    ...(by.startsWith('p') ? { extendedStatistic: by } : { statistic: by }),
  }
}
