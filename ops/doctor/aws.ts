import * as z from 'zod/mini'
import { AWS_LOGIN, type AwsApi, openAws, readCredentials } from '../lib/aws.ts'
import { attempt, type Finding, failed, ok, unchecked } from './findings.ts'
import type { StackTarget } from './target.ts'

/**
 * Concurrent executions that must remain unreserved in every account.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const MIN_UNRESERVED = 100
/** Options of `aws service-quotas` for Lambda's concurrent executions. */
const QUOTA_OPTIONS = '--service-code lambda --quota-code L-B99A9384 --desired-value 1000'

const AccountSettings = z.object({
  AccountLimit: z.object({
    ConcurrentExecutions: z.number(),
    UnreservedConcurrentExecutions: z.number(),
  }),
})
const Reserved = z.object({ ReservedConcurrentExecutions: z.optional(z.number()) })

/**
 * Checks identity, account, region, Lambda's quota and the bucket's
 * name, if the stack declares resources on AWS.
 */
export async function checkAws(target: StackTarget, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { stack, region, bucket, declaresBackend } = target
  if (!declaresBackend && bucket === undefined) {
    return [ok('AWS', `${stack} declares no resources on AWS`)]
  }
  const resourceChecks = [
    ...(declaresBackend ? ['Lambda quota'] : []),
    ...(bucket ? ['Bucket name'] : []),
  ]
  const skip = (checks: readonly string[], detail: string) =>
    checks.map((check) => unchecked(check, detail))
  if (!readCredentials(env)) {
    const detail = 'AWS_ACCESS_KEY_ID and its secret are not set'
    return [
      failed('AWS identity', detail, AWS_LOGIN),
      ...skip(['AWS account', 'AWS region', ...resourceChecks], 'needs AWS credentials'),
    ]
  }
  if (!region) {
    const fix = `pulumi config set aws:region eu-central-1 --stack ${stack}`
    return [
      failed('AWS region', 'is not set', fix),
      ...skip(['AWS identity', 'AWS account', ...resourceChecks], 'needs aws:region'),
    ]
  }
  const api = openAws(region, env)
  const { findings, account } = await checkIdentity(api, target, region)
  if (account === undefined) return [...findings, ...skip(resourceChecks, 'needs an AWS identity')]
  return [
    ...findings,
    ...(declaresBackend
      ? [await attempt('Lambda quota', () => checkQuota(api, target, region))]
      : []),
    ...(bucket
      ? [await attempt('Bucket name', () => checkBucket(api, bucket, account, stack))]
      : []),
  ]
}

async function checkIdentity(
  api: AwsApi,
  { allowedAccounts, stack }: StackTarget,
  region: string,
): Promise<{ findings: Finding[]; account?: string }> {
  const check = 'AWS identity'
  const unknown = unchecked('AWS account', 'needs an AWS identity')
  let response: Response
  try {
    response = await api('sts', '/?Action=GetCallerIdentity&Version=2011-06-15', { method: 'POST' })
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const fix = `pulumi config set aws:region eu-central-1 --stack ${stack}    # or go online`
    const unreachable = failed('AWS region', `${region} does not respond: ${reason}`, fix)
    return { findings: [unchecked(check, 'needs AWS'), unknown, unreachable] }
  }
  const text = await response.text()
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1]
  const [account, arn] = [read('Account'), read('Arn')]
  if (response.status >= 500) {
    const detail = `AWS responds with ${response.status}`
    return { findings: [unchecked(check, detail), unknown, unchecked('AWS region', detail)] }
  }
  if (!response.ok || !account || !arn) {
    const rejected = failed(check, `${read('Code') ?? response.status}: not accepted`, AWS_LOGIN)
    return { findings: [rejected, unknown, unchecked('AWS region', 'needs an AWS identity')] }
  }
  const isAllowed = allowedAccounts.length === 0 || allowedAccounts.includes(account)
  const fix = `${AWS_LOGIN}    # for account ${allowedAccounts.join(' or ')}`
  const accountFinding = isAllowed
    ? ok('AWS account', allowedAccounts.length > 0 ? `${account} is allowed` : account)
    : failed('AWS account', `${account} is not in aws:allowedAccountIds`, fix)
  return {
    findings: [ok(check, arn), accountFinding, ok('AWS region', `${region} responds`)],
    account,
  }
}

async function checkQuota(
  api: AwsApi,
  { environment: { tier } }: StackTarget,
  region: string,
): Promise<Finding> {
  const response = await api('lambda', '/2016-08-19/account-settings/')
  const denied = toUnchecked('Lambda quota', response, 'lambda:GetAccountSettings')
  if (denied) return denied
  const { AccountLimit: limit } = AccountSettings.parse(await response.json())
  const { concurrency } = tier.api
  const reserved = await readReserved(api, `cms-edge-api-${tier.name}`)
  const left = limit.UnreservedConcurrentExecutions + reserved - concurrency
  const detail = `${limit.ConcurrentExecutions} concurrent executions, ${concurrency} of them for the read API`
  if (left >= MIN_UNRESERVED) return ok('Lambda quota', detail)
  const reason = `${detail}, leave ${left} unreserved; AWS requires ${MIN_UNRESERVED}`
  const fix = `aws service-quotas request-service-quota-increase ${QUOTA_OPTIONS} --region ${region}`
  return failed('Lambda quota', reason, fix)
}

/** Returns the concurrency that the deployed function has reserved; 0 if it is unknown. */
async function readReserved(api: AwsApi, functionName: string): Promise<number> {
  const response = await api('lambda', `/2019-09-30/functions/${functionName}/concurrency`)
  if (!response.ok) return 0
  return Reserved.parse(await response.json()).ReservedConcurrentExecutions ?? 0
}

async function checkBucket(
  api: AwsApi,
  bucket: string,
  account: string,
  stack: string,
): Promise<Finding> {
  const check = 'Bucket name'
  const headers = { 'x-amz-expected-bucket-owner': account }
  const { status } = await api('s3', `/${bucket}`, { method: 'HEAD', headers })
  const fix = `pulumi config set STORE_BUCKET <another name> --stack ${stack}`
  if (status === 404) return ok(check, `${bucket} is free`)
  if (status === 200) return ok(check, `${bucket} belongs to this account`)
  if (status === 403) return failed(check, `${bucket} belongs to another account`, fix)
  if (status === 301 || status === 400)
    return failed(check, `${bucket} exists in another region`, fix)
  return unchecked(check, `S3 responds with ${status}`)
}

/** Returns the finding of an error response; undefined if the response is no error. */
function toUnchecked(check: string, response: Response, action: string): Finding | undefined {
  if (response.ok) return undefined
  if (response.status === 403) return unchecked(check, `these credentials lack ${action}`)
  return unchecked(check, `AWS responds with ${response.status}`)
}
