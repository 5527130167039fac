import { parseArgs } from 'node:util'
import { signPreview } from '../contract/preview.ts'
import { toCanonicalPath } from '../http/path.ts'
import { readSiteAccess, run } from './lib/environment.ts'

const USAGE =
  'Usage: npm run preview-link -- <environment> <path> [--version <number>] [--hours <1 to 24>]'

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { version: { type: 'string' }, hours: { type: 'string', default: '24' } },
  })
  const [environment, given, ...others] = positionals
  const path = given === undefined ? undefined : toCanonicalPath(given)
  const { version } = values
  const hours = Number(values.hours)
  if (!environment || !path || others.length > 0 || !(hours > 0 && hours <= 24))
    throw new Error(USAGE)
  if (version !== undefined && !/^[1-9]\d*$/.test(version)) throw new Error(USAGE)
  const { url, secret } = await readSiteAccess(environment)
  const expiry = Date.now() + Math.round(hours * 3_600_000)
  const token = await signPreview(secret, { host: url.hostname, path, version }, expiry)
  const link = new URL(path, url)
  link.searchParams.set('_preview', token)
  if (version !== undefined) link.searchParams.set('_version', version)
  console.log(link.href)
}, USAGE)
