import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { UserError } from '../lib/user-error.ts'

const run = promisify(execFile)
const Plugins = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }))

/** What of Pulumi this machine has. */
export interface Tools {
  cli: string
  /** Cloudflare's own provider: the version that the program needs, and whether it can be had. */
  provider: { version: string; found: boolean }
}

/** Finds the CLI and Cloudflare's provider, fetching the latter where the CLI can. */
export async function findTools(env: NodeJS.ProcessEnv): Promise<Tools> {
  const { stdout: cli } = await run('pulumi', ['version'], { env, timeout: 120_000 }).catch(() => {
    throw new UserError(
      'A rehearsal needs the Pulumi CLI, and it cannot be had here.\n' +
        'Install it as pulumi.com/docs/install tells and see that `pulumi version` answers.\n' +
        '(`npx pulumi` fetches the same CLI at its first call, where get.pulumi.com can be reached.)',
    )
  })
  const { version } = createRequire(import.meta.url)('@pulumi/cloudflare/package.json')
  const find = async () => {
    const { stdout } = await run('pulumi', ['plugin', 'ls', '--json'], { env })
    const plugins = Plugins.parse(JSON.parse(stdout))
    return plugins.some((each) => each.name === 'cloudflare' && each.version === version)
  }
  const install = async () => {
    if (env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION) return false
    const args = ['plugin', 'install', 'resource', 'cloudflare', version]
    await run('pulumi', args, { env, timeout: 300_000 })
    return find()
  }
  const found = (await find()) || (await install().catch(() => false))
  return { cli: cli.trim().replace(/^v/, ''), provider: { version, found } }
}
