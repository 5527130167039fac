import { createHash } from 'node:crypto'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Environment } from '../deploy/environments.ts'
import type { DeployTarget } from '../deploy-target.ts'
import { UserError } from '../lib/user-error.ts'

interface PageResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Requests a stack's URLs, and checks that the uploaded build responds. */
export async function askDeployed(cloud: DeployTarget, stack: string): Promise<string> {
  const environment = cloud.account.environments().find((each) => each.stack === stack)
  if (environment === undefined) throw new UserError(`No script of ${stack} was uploaded.`)
  return environment.home
    ? checkSite(cloud, environment, environment.home)
    : checkMedia(cloud, environment)
}

async function checkSite(
  cloud: DeployTarget,
  { script }: Environment,
  home: string,
): Promise<string> {
  const uploaded = createHash('sha256').update(cloud.cloudflare.scripts.get(script)?.content ?? '')
  const version = uploaded.digest('hex').slice(0, 12)
  await until(home, async () => {
    const { body } = await get(new URL('/__cms/health', home))
    return body.includes(script) && body.includes(version)
  })
  const page = await get(new URL(home))
  expect(home, page, 'text/html')
  const [, title = ''] = /<title>([^<]*)/.exec(page.body) ?? []
  const feed = new URL('/feed.xml', home)
  expect(feed.href, await get(feed), 'xml')
  return `${home} shows “${title.trim()}”, build ${version}`
}

async function checkMedia(cloud: DeployTarget, { script, urls }: Environment): Promise<string> {
  const bindings = cloud.cloudflare.scripts.get(script)?.bindings ?? []
  const named = bindings.find(({ name }) => name === 'STORE_BUCKET')
  const bucket = await cloud.store.open(named && 'text' in named ? named.text : '')
  const [object] = bucket.list('articles/', '')
  if (object === undefined) throw new UserError(`The bucket of ${script} is empty.`)
  for (const url of urls) {
    const picture = new URL(object.key, url)
    await until(url, async () => (await get(picture)).status === 200)
    const answer = await get(picture)
    expect(picture.href, answer, object.contentType)
    if (!String(answer.headers['cache-status']).includes(script)) {
      throw new UserError(`${picture.href} was not answered by ${script}.`)
    }
  }
  return `${urls.map((url) => `${url}${object.key}`).join(', ')}: ${object.size} bytes each`
}

function expect(url: string, { status, headers }: PageResponse, type: string): void {
  const found = String(headers['content-type'])
  if (status !== 200 || !found.includes(type)) {
    throw new UserError(`${url} answers ${status} ${found} instead of ${type}.`)
  }
}

/** Retries until an upload is live. */
async function until(url: string, isThere: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await setTimeout(200)) {
    if (await isThere().catch(() => false)) return
  }
  throw new UserError(`${url} does not answer with what was uploaded.`)
}

/** Programs cannot resolve the host names of the edge, so this connects to 127.0.0.1. */
function get({ host, port, pathname }: URL): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: pathname, headers: { host }, agent: false }
    http
      .get(options, (response) => {
        const { statusCode: status = 0, headers } = response
        text(response).then((body) => resolve({ status, headers, body }), reject)
      })
      .on('error', reject)
  })
}
