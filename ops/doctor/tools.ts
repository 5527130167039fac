import { createRequire } from 'node:module'
import * as z from 'zod/mini'
import { type PulumiCli, runCli } from '../lib/pulumi-cli.ts'
import { attempt, type Finding, failed, ok, unchecked } from './findings.ts'

/** Oldest supported major version of Node, as in `engines` of package.json. */
const OLDEST_NODE = 24

const Plugins = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }))

/** Checks Node, the Pulumi CLI and the plugins of the providers. */
export async function checkTools(
  cli: PulumiCli | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  return [
    await checkNode(env),
    cli
      ? ok('Pulumi CLI', `${cli.version} (${cli.path})`)
      : failed(
          'Pulumi CLI',
          'no `pulumi` of a supported version',
          'curl -fsSL https://get.pulumi.com | sh',
        ),
    ...(await checkPlugins(cli, env)),
  ]
}

/** Checks the `node` on PATH, which runs the Pulumi program. The doctor may be run by another one. */
async function checkNode(env: NodeJS.ProcessEnv): Promise<Finding> {
  const fix = `nvm install ${OLDEST_NODE}    # or from https://nodejs.org/en/download`
  const { code, out } = await runCli('node', ['--version'], env)
  if (code !== 0) return failed('Node', 'no `node` on PATH', fix)
  const version = out.trim().replace(/^v/, '')
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return ok('Node', version)
  return failed('Node', `${version} is older than ${OLDEST_NODE}`, fix)
}

async function checkPlugins(
  cli: PulumiCli | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const checks = ['cloudflare', 'aws'].map((name) => ({ name, check: `Plugin ${name}` }))
  if (!cli) return checks.map(({ check }) => unchecked(check, 'needs the Pulumi CLI'))
  const installed = runCli(cli.path, ['plugin', 'ls', '--json'], env).then(
    ({ code, out, error }) => {
      if (code !== 0) throw new Error(`\`pulumi plugin ls\` failed: ${error.trim()}`)
      return Plugins.parse(JSON.parse(out))
    },
  )
  return Promise.all(
    checks.map(({ name, check }) =>
      attempt(check, async () => {
        const version = readSdkVersion(name)
        const found = (await installed).filter((each) => each.name === name)
        if (found.some((each) => each.version === version)) return ok(check, version)
        const others = found.map((each) => each.version).join(', ')
        return failed(
          check,
          others ? `${others} is not ${version}` : `${version} is not installed`,
          `pulumi plugin install resource ${name} ${version}`,
        )
      }),
    ),
  )
}

/** Returns the version of the provider's package that the program imports. */
function readSdkVersion(name: string): string {
  const { version } = createRequire(import.meta.url)(`@pulumi/${name}/package.json`)
  return z.string().parse(version)
}
