import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeployedEnvironment } from '../deploy/environments.ts'
import type { DeployTarget } from '../deploy-target.ts'
import { type LocalResponse, requestLocal } from '../lib/local-request.ts'
import { UserError } from '../lib/user-error.ts'

/**
 * Requests a stack's URLs; returns a line that describes the responses.
 *
 * @throws UserError when no script was uploaded, or a response is not from it or is not the expected one
 */
export async function checkPages(cloud: DeployTarget, stack: string): Promise<string> {
  const environment = cloud.account.environments().find((each) => each.stack === stack)
  if (environment === undefined) throw new UserError(`No script of ${stack} was uploaded.`)
  return environment.homeUrl
    ? checkSite(cloud, environment, environment.homeUrl)
    : checkMedia(cloud, environment)
}

async function checkSite(
  cloud: DeployTarget,
  { script }: DeployedEnvironment,
  homeUrl: string,
): Promise<string> {
  const uploaded = createHash('sha256').update(cloud.cloudflare.scripts.get(script)?.content ?? '')
  const version = uploaded.digest('hex').slice(0, 12)
  await waitUntilLive(homeUrl, async () => {
    const health = String((await request('/__cms/health', homeUrl)).body)
    return health.includes(script) && health.includes(version)
  })
  const page = await requestLocal(homeUrl)
  requireType(homeUrl, page, 'text/html')
  const [, title = ''] = /<title>([^<]*)/.exec(String(page.body)) ?? []
  requireType(new URL('/feed.xml', homeUrl).href, await request('/feed.xml', homeUrl), 'xml')
  return `${homeUrl} shows “${title.trim()}”, build ${version}`
}

async function checkMedia(
  cloud: DeployTarget,
  { script, urls }: DeployedEnvironment,
): Promise<string> {
  const bindings = cloud.cloudflare.scripts.get(script)?.bindings ?? []
  const bucketName = bindings.find(({ name }) => name === 'STORE_BUCKET')
  const bucket = await cloud.store.open(bucketName && 'text' in bucketName ? bucketName.text : '')
  const [object] = bucket.list('articles/', '')
  if (object === undefined) throw new UserError(`The bucket of ${script} is empty.`)
  for (const url of urls) {
    const { href } = new URL(object.key, url)
    await waitUntilLive(url, async () => (await requestLocal(href)).status === 200)
    const response = await requestLocal(href)
    requireType(href, response, object.contentType)
    if (!String(response.headers['cache-status']).includes(script)) {
      throw new UserError(`The response of ${href} is not from ${script}.`)
    }
  }
  return `${urls.map((url) => `${url}${object.key}`).join(', ')}: ${object.size} bytes each`
}

function request(path: string, homeUrl: string): Promise<LocalResponse> {
  return requestLocal(new URL(path, homeUrl).href)
}

function requireType(url: string, { status, headers }: LocalResponse, type: string): void {
  const actual = String(headers['content-type'])
  if (status !== 200 || !actual.includes(type)) {
    throw new UserError(`${url} responds with ${status} ${actual} instead of ${type}.`)
  }
}

/** Waits up to 20 seconds until the uploaded build responds. */
async function waitUntilLive(url: string, isLive: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(200)) {
    if (await isLive().catch(() => false)) return
  }
  throw new UserError(`${url} does not serve the uploaded build.`)
}
