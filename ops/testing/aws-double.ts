import { Hono } from 'hono'

export interface AwsAccount {
  id: string
  /** The only accepted AWS_ACCESS_KEY_ID; signatures are not verified. */
  accessKeyId: string
  /** Lambda's limit of concurrent executions. */
  concurrency: number
  /** Reserved concurrent executions, by function. */
  reserved: Map<string, number>
  /** ID of the account that owns a bucket, by the name of the bucket. */
  buckets: Map<string, string>
}

export function createAwsAccount(): AwsAccount {
  return {
    id: '123456789012',
    accessKeyId: 'AKIAOPERATOR',
    concurrency: 1000,
    reserved: new Map(),
    buckets: new Map(),
  }
}

/**
 * Creates a stand-in for the APIs of AWS that `npm run doctor` and its commands call, at one address: STS
 * GetCallerIdentity, Lambda GetAccountSettings and GetFunctionConcurrency, S3 HeadBucket, and Service Quotas
 * RequestServiceQuotaIncrease, which is granted immediately.
 */
export function createAwsDouble(account: AwsAccount): Hono {
  const app = new Hono()
  app.use(async ({ req, text }, next) => {
    const credential = /Credential=([^/]+)/.exec(req.header('authorization') ?? '')?.[1]
    if (credential === account.accessKeyId) return next()
    const code = '<Code>InvalidClientTokenId</Code>'
    return text(`<ErrorResponse><Error>${code}</Error></ErrorResponse>`, 403)
  })
  app.post('/', async ({ req, text, json }) => {
    if (req.header('x-amz-target')?.endsWith('.RequestServiceQuotaIncrease')) {
      account.concurrency = (await req.json()).DesiredValue
      return json({ RequestedQuota: { Status: 'APPROVED' } })
    }
    const { id } = account
    const arn = `arn:aws:iam::${id}:user/operator`
    return text(
      `<GetCallerIdentityResult><Arn>${arn}</Arn><Account>${id}</Account></GetCallerIdentityResult>`,
    )
  })
  app.get('/2016-08-19/account-settings/', ({ json }) => {
    const reserved = [...account.reserved.values()].reduce((sum, each) => sum + each, 0)
    return json({
      AccountLimit: {
        ConcurrentExecutions: account.concurrency,
        UnreservedConcurrentExecutions: account.concurrency - reserved,
      },
    })
  })
  app.get('/2019-09-30/functions/:name/concurrency', ({ req, json }) => {
    const reserved = account.reserved.get(req.param('name'))
    return reserved === undefined
      ? json({ Code: 'ResourceNotFoundException' }, 404)
      : json({ ReservedConcurrentExecutions: reserved })
  })
  // Hono handles HEAD with the route of GET.
  app.get('/:bucket', ({ req, body }) => {
    const owner = account.buckets.get(req.param('bucket'))
    if (owner === undefined) return body(null, 404)
    return body(null, owner === req.header('x-amz-expected-bucket-owner') ? 200 : 403)
  })
  return app
}
