import { AwsClient } from 'aws4fetch'

type AwsService = 'sts' | 'lambda' | 's3' | 'monitoring'

/** Sends a signed request to a service in a region; the path begins with `/`. */
export type AwsApi = (service: AwsService, path: string, init?: RequestInit) => Promise<Response>

const TIMEOUT_MS = 20_000

/** Shell command that sets AWS credentials, for error messages. */
export const AWS_LOGIN = 'eval "$(aws configure export-credentials --format env)"'

/** Reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; undefined without key or secret. */
export function readCredentials(env: NodeJS.ProcessEnv) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey) return undefined
  const { AWS_SESSION_TOKEN: sessionToken } = env
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

/**
 * Creates a client for AWS in a region. `AWS_ENDPOINT_URL` replaces the
 * address of every service, as in the AWS CLI.
 * @throws Error without credentials
 */
export function openAws(region: string, env: NodeJS.ProcessEnv): AwsApi {
  const credentials = readCredentials(env)
  if (!credentials) throw new Error(`Set AWS credentials: ${AWS_LOGIN}`)
  return (service, path, init = {}) => {
    const client = new AwsClient({ ...credentials, region, service, retries: 1 })
    const origin = env.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return client.fetch(origin.replace(/\/$/, '') + path, { ...init, signal })
  }
}
