import * as z from 'zod/mini'
import { parseMediaConfig, parseSiteConfig, type RawConfig } from '../../infra/config.ts'
import { environments, type Stack } from '../../infra/environments.ts'
import { toMessage } from '../lib/command-line.ts'
import { type PulumiCli, runCli } from '../lib/pulumi-cli.ts'
import { type Finding, failed, ok, unchecked } from './findings.ts'

const Identity = z.object({ url: z.string() })
const Stacks = z.array(z.object({ name: z.string() }))
const Config = z.record(z.string(), z.object({ value: z.string(), secret: z.boolean() }))

const NEEDS_CLI = 'needs the Pulumi CLI'
const NEW_PASSPHRASE =
  'export PULUMI_CONFIG_PASSPHRASE="$(openssl rand -hex 32)"    # store it in your password manager'

/**
 * Checks the state backend, the passphrase, whether the stack exists in the state, and the stack's settings.
 */
export async function checkState(
  stack: Stack,
  cli: PulumiCli | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const passphrase = checkPassphrase(env)
  if (!cli) {
    const rest = ['State backend', 'Stack', 'Settings']
    return [passphrase, ...rest.map((check) => unchecked(check, NEEDS_CLI))]
  }
  const pulumi = (...args: string[]) => runCli(cli.path, [...args, '--non-interactive'], env)
  const identity = await pulumi('whoami', '--json')
  if (identity.code !== 0) {
    const detail = toFirstLine(identity.error)
    const fix = "pulumi login 's3://<bucket>?region=<region>'    # docs/operations.md, State"
    const rest = ['Stack', 'Settings'].map((check) => unchecked(check, 'needs the state backend'))
    return [failed('State backend', detail, fix), passphrase, ...rest]
  }
  const backend = ok('State backend', Identity.parse(JSON.parse(identity.out)).url)
  const listed = await pulumi('stack', 'ls', '--json')
  const names = listed.code === 0 ? Stacks.parse(JSON.parse(listed.out)) : []
  if (!names.some(({ name }) => name === stack)) {
    const missing =
      listed.code === 0
        ? failed('Stack', 'is not in the state', `pulumi stack init ${stack}`)
        : unchecked('Stack', toFirstLine(listed.error))
    return [backend, passphrase, missing, unchecked('Settings', 'needs the stack')]
  }
  const config = await pulumi('config', '--json', '--show-secrets', '--stack', stack)
  return [backend, ...toConfigFindings(stack, passphrase, config)]
}

function checkPassphrase(env: NodeJS.ProcessEnv): Finding {
  const isSet = env.PULUMI_CONFIG_PASSPHRASE !== undefined || env.PULUMI_CONFIG_PASSPHRASE_FILE
  return isSet ? ok('Passphrase', 'is set') : failed('Passphrase', 'is not set', NEW_PASSPHRASE)
}

/** If `pulumi config` can decrypt the secrets, a missing passphrase is no failure: a KMS key may replace it. */
function toConfigFindings(
  stack: Stack,
  passphrase: Finding,
  { code, out, error }: { code: number | null; out: string; error: string },
): Finding[] {
  const stackFinding = ok('Stack', stack)
  if (code === 0) {
    const valid = ok('Passphrase', `decrypts the secrets of Pulumi.${stack}.yaml`)
    return [valid, stackFinding, checkConfig(stack, out)]
  }
  const settings = unchecked('Settings', 'needs the passphrase')
  if (passphrase.state === 'failed') {
    const fix = 'export PULUMI_CONFIG_PASSPHRASE=<the one of this environment>'
    return [{ ...passphrase, fixes: [fix] }, stackFinding, settings]
  }
  const wrong = failed(
    'Passphrase',
    `does not decrypt the secrets of Pulumi.${stack}.yaml: ${toFirstLine(error)}`,
    'export PULUMI_CONFIG_PASSPHRASE=<the one of this environment>',
  )
  return [wrong, stackFinding, settings]
}

function checkConfig(stack: Stack, json: string): Finding {
  const entries = Object.entries(Config.parse(JSON.parse(json)))
  const raw: RawConfig = {
    stack,
    values: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    secretKeys: entries.filter(([, { secret }]) => secret).map(([key]) => key),
  }
  try {
    const environment = environments[stack]
    if (environment.worker === 'site') parseSiteConfig(environment, raw)
    else parseMediaConfig(raw)
    return ok('Settings', `${entries.length} settings are valid`)
  } catch (error) {
    // After its first line, the message has two lines for each problem:
    // `<problem>:` and the command that fixes it.
    const [, ...lines] = toMessage(error).split('\n')
    const problems = lines.filter((line) => line.endsWith(':'))
    const detail = problems.map((line) => line.trim().slice(0, -1)).join(', ')
    const commands = lines.filter((line) => !line.endsWith(':')).map((line) => line.trim())
    return failed('Settings', detail, ...commands)
  }
}

function toFirstLine(stderr: string): string {
  const [first = 'no output'] = stderr.trim().split('\n')
  return first.replace(/^error: /, '')
}
