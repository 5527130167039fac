import { MAX_URLS, type PurgeRequest, PurgeResponse } from '../contract/purge.ts'
import { environments, type Stack, stacks } from '../infra/environments.ts'
import { readTarget } from './doctor/target.ts'
import { runCommand, UsageError } from './lib/command-line.ts'
import { readSiteAccess, type SiteAccess } from './lib/environment.ts'
import { post } from './lib/post.ts'
import { openOperatorApi, purgeMedia } from './lib/purge-media.ts'

const COMMAND = {
  invocation: 'npm run purge --',
  positionals: ['<environment>'],
  summary: `Purges pages of a site environment, or objects of a media environment: no cache of the project serves them
again. Browsers may store objects for longer (docs/operations.md).`,
  options: {
    site: { type: 'boolean', description: 'every page of the host' },
    all: { type: 'boolean', description: 'every object of the media environment' },
    url: {
      type: 'string',
      multiple: true,
      value: '<path>',
      description: 'one page or object; may be repeated',
    },
  },
  exitCodes: { 0: 'purged', 1: 'not purged, or not completely' },
} as const

await runCommand(COMMAND, async ({ values, positionals: [environment = ''] }) => {
  const urls = values.url ?? []
  const stack = stacks.find((each) => each === environment)
  if (stack && environments[stack].worker === 'media') return purgeObjects(stack, urls, values)
  if (values.all) throw new UsageError('--all is for media environments')
  const hasUrls = urls.length > 0
  if ((values.site ?? false) === hasUrls) throw new UsageError('Use either --site or --url')
  const access = await readSiteAccess(environment)
  const { deleted, complete } = values.site
    ? await purge(access, { host: access.url.hostname, site: true })
    : await purgeUrls(access, urls)
  if (!complete) console.log('The worker deletes the remaining stored pages in the next minutes.')
  console.log(`Purged ${access.url.hostname}: ${deleted} ${values.site ? 'stored pages' : 'URLs'}.`)
})

async function purgeObjects(
  stack: Stack,
  urls: readonly string[],
  { all = false, site = false }: { all?: boolean; site?: boolean },
): Promise<void> {
  if (site) throw new UsageError('--site is for site environments')
  const hasUrls = urls.length > 0
  if (all === hasUrls) throw new UsageError('Use either --all or --url')
  const { zoneId, environment } = await readTarget(stack, process.cwd())
  if (!zoneId) throw new Error(`Pulumi.${stack}.yaml has no CLOUDFLARE_ZONE_ID.`)
  const target = { scriptName: environment.scriptName, zoneId }
  const api = await openOperatorApi()
  await purgeMedia(api, target, all ? { all } : { urls }, (line) => console.log(line))
  console.log(`Purged ${stack}: ${all ? 'every object' : `${urls.length} objects`}.`)
}

async function purgeUrls(access: SiteAccess, urls: readonly string[]) {
  const total = { deleted: 0, complete: true }
  for (let start = 0; start < urls.length; start += MAX_URLS) {
    const part = urls.slice(start, start + MAX_URLS)
    const { deleted, complete } = await purge(access, { host: access.url.hostname, urls: part })
    total.deleted += deleted
    total.complete &&= complete
  }
  return total
}

async function purge({ url, secret }: SiteAccess, request: PurgeRequest): Promise<PurgeResponse> {
  const { status, body } = await post(new URL('/__cms/purge', url), secret, request)
  const { success, data } = PurgeResponse.safeParse(body)
  if (!success)
    throw new Error(`${url.hostname} rejected the purge with ${status}: ${JSON.stringify(body)}`)
  console.log(`The purge applies in every data centre within ${data.converges_within_seconds} s.`)
  return data
}
