/** Introduction to the prices in docs/costs.md. */
export const PRICE_BASIS =
  'List prices in US dollars, without tax. AWS: US East (N. Virginia), on demand, without the free tier; prices of other regions differ. Cloudflare: each stack is charged as if it used the included amounts of Workers Paid alone.'

export const PRICES = {
  date: '2026-11-22',
  sources: [
    'https://developers.cloudflare.com/workers/platform/pricing/',
    'https://developers.cloudflare.com/kv/platform/pricing/',
    'https://developers.cloudflare.com/d1/platform/pricing/',
    'https://developers.cloudflare.com/workers/observability/logs/workers-logs/#pricing',
    'https://aws.amazon.com/lambda/pricing/',
    'https://aws.amazon.com/rds/postgresql/pricing/',
    'https://aws.amazon.com/s3/pricing/',
    'https://aws.amazon.com/cloudwatch/pricing/',
    'https://aws.amazon.com/kms/pricing/',
    'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
  ],
  /** Per month and account, independent of the number of stacks. */
  workersPaid: 5,
  /** Up to `s3Reads`: the price per million (`each`) above the included millions. */
  workerRequests: { included: 10, each: 0.3 },
  workerCpuMs: { included: 30, each: 0.02 },
  workerLogs: { included: 20, each: 0.6 },
  kvReads: { included: 10, each: 0.5 },
  kvWrites: { included: 1, each: 5 },
  d1Reads: { included: 25_000, each: 0.001 },
  d1Writes: { included: 50, each: 1 },
  lambdaRequests: { included: 0, each: 0.2 },
  s3Reads: { included: 0, each: 0.4 },
  /** Per GB and month, above the included GB. */
  d1Gb: { included: 5, each: 0.75 },
  /** Per GB-second on arm64. */
  lambdaGbSecond: 0.0000133334,
  /** Per hour of PostgreSQL in one zone, by instance class. */
  databaseHour: {
    'db.t4g.micro': 0.016,
    'db.t4g.small': 0.032,
    'db.t4g.medium': 0.065,
    'db.t4g.large': 0.129,
  },
  /** Per GB and month, gp3 in one zone. */
  databaseGb: 0.115,
  /** Per GB and month. */
  s3Gb: 0.023,
  /** Per GB that is written. */
  logsGb: 0.5,
  /** Per GB that leaves AWS. */
  egressGb: 0.09,
  /** These have a price per month and item. */
  alarm: 0.1,
  metric: 0.3,
  key: 1,
} as const
