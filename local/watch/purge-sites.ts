import { MEDIA_PREFIX } from '../../contract/constants.ts'
import type { AccountRuntime } from '../account-runtime.ts'
import { purgeUrls } from '../emulators/edge/purge.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'
import { requestLocal } from '../lib/local-request.ts'
import type { StartContext } from '../services.ts'

/** Purges every site, so that its pages are rendered again; returns host and status of each failed purge. */
export async function purgeSites({ cloudflare, environments }: AccountRuntime): Promise<string[]> {
  const failures = environments().map(async ({ script, homeUrl }) => {
    const bindings = cloudflare.scripts.get(script)?.bindings ?? []
    const secret = bindings.find(({ name }) => name === 'ADMIN_PURGE_SECRET')
    if (homeUrl === undefined || !secret || !('text' in secret)) return []
    const { hostname } = new URL(homeUrl)
    const headers = {
      authorization: `Bearer ${secret.text}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ host: hostname, site: true })
    const response = await requestLocal(`${homeUrl}__cms/purge`, { method: 'POST', headers, body })
    return response.status < 300 ? [] : [`${hostname} (${response.status})`]
  })
  return (await Promise.all(failures)).flat()
}

/** Deletes objects, given by their keys in the buckets, from the edge cache. */
export async function purgeObjects(
  { environments }: AccountRuntime,
  { addresses, dataFolder }: StartContext,
  keys: readonly string[],
): Promise<void> {
  // The media worker's cache keys contain the host of the request, with its port.
  const hosts = new Set(environments().flatMap(({ urls }) => urls.map((url) => new URL(url).host)))
  const urls = [...hosts].flatMap((host) =>
    keys.map((key) => `https://${host}${MEDIA_PREFIX}${key}`),
  )
  await purgeUrls(
    { port: addresses.workerdPort, edgeToken: derive(dataFolder.secretSeed, 'edge') },
    urls,
  )
}
