import { createRequire } from 'node:module'
import * as z from 'zod/mini'
import { type PulumiCli, requirePulumi, runCli } from '../../ops/lib/pulumi-cli.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'

const Plugins = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }))
const INSTALL_TIMEOUT_MS = 300_000

export interface CliTools {
  cli: PulumiCli
  /** Cloudflare's provider: the version that the program needs, and whether it is installed. */
  provider: { version: string; isInstalled: boolean }
}

/**
 * Finds the Pulumi CLI and Cloudflare's provider, which the CLI installs if it can.
 *
 * @throws UserError when there is no usable CLI
 */
export async function findTools(env: NodeJS.ProcessEnv): Promise<CliTools> {
  const cli = await requirePulumi(env).catch((error) => {
    throw new UserError(`A rehearsal needs the Pulumi CLI. ${toErrorMessage(error)}`)
  })
  const { version } = createRequire(import.meta.url)('@pulumi/cloudflare/package.json')
  const isInstalled = async () => {
    const { out } = await runCli(cli.path, ['plugin', 'ls', '--json'], env)
    const plugins = Plugins.parse(JSON.parse(out || '[]'))
    return plugins.some((each) => each.name === 'cloudflare' && each.version === version)
  }
  const install = async () => {
    if (env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION) return false
    const args = ['plugin', 'install', 'resource', 'cloudflare', version]
    await runCli(cli.path, args, env, INSTALL_TIMEOUT_MS)
    return isInstalled()
  }
  return { cli, provider: { version, isInstalled: (await isInstalled()) || (await install()) } }
}
