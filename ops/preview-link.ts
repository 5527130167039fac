import { signPreview } from '../contract/preview.ts'
import { toCanonicalPath } from '../http/path.ts'
import { runCommand, UsageError } from './lib/command-line.ts'
import { readSiteAccess } from './lib/environment.ts'

const COMMAND = {
  invocation: 'npm run preview-link --',
  positionals: ['<environment>', '<path>'],
  summary:
    'Prints a link that shows a page as it is in the CMS now, unpublished articles included.',
  options: {
    version: { type: 'string', value: '<number>', description: 'a stored version of the article' },
    hours: {
      type: 'string',
      default: '24',
      value: '<number>',
      description: 'hours until the link expires, at most 24 (default 24)',
    },
  },
  exitCodes: { 0: 'printed', 1: 'address or secret of the environment is unknown' },
} as const

await runCommand(COMMAND, async ({ values, positionals: [environment = '', givenPath = ''] }) => {
  const { version } = values
  const path = toCanonicalPath(givenPath)
  const hours = Number(values.hours)
  if (!path) throw new UsageError(`"${givenPath}" is not the path of a page`)
  if (!(hours > 0 && hours <= 24))
    throw new UsageError(`--hours must be above 0 and at most 24, not "${values.hours}"`)
  if (version !== undefined && !/^[1-9]\d*$/.test(version))
    throw new UsageError(`--version must be a positive integer, not "${version}"`)
  const { url, secret } = await readSiteAccess(environment)
  const expiry = Date.now() + Math.round(hours * 3_600_000)
  const token = await signPreview(secret, { host: url.hostname, path, version }, expiry)
  const link = new URL(path, url)
  link.searchParams.set('_preview', token)
  if (version !== undefined) link.searchParams.set('_version', version)
  console.log(link.href)
})
