import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as yaml from 'yaml'
import { putRoute, putScript } from '../../local/emulators/cloudflare/account.ts'
import { findPulumi } from '../lib/pulumi-cli.ts'
import {
  ACCOUNT_ID,
  type DeploymentTarget,
  openDeploymentTarget,
  ZONE_ID,
} from '../testing/deployment-target.ts'
import { expectInDocument } from '../testing/document.ts'
import type { Finding } from './findings.ts'

const STACK = 'site-stage'
const HOST = 'stage.news.example'
const ROOT = join(import.meta.dirname, '../..')
const OPERATIONS = new URL('../../docs/operations.md', import.meta.url)
/** Rounds of the doctor and of the commands that it prints. */
const MAX_ROUNDS = 6
/** The test runs about 24 processes in sequence. */
const TIMEOUT_MS = 300_000

const cli = await findPulumi({ PATH: process.env.PATH })
const aws = which('aws')
const missing = [...(cli ? [] : ['the Pulumi CLI']), ...(aws ? [] : ['the AWS CLI'])]

test.skipIf(missing.length > 0)(
  `the commands that the doctor prints lead from a new machine to a ready stack ${missing.length > 0 ? `(needs ${missing.join(' and ')})` : ''}`,
  async () => {
    const target = await openDeploymentTarget()
    const plugins = await servePlugins()
    try {
      await setUpNewMachine(target, plugins.origin)
      const printed: string[] = []
      for (let round = 1; ; round++) {
        const { code, out } = await runDoctor(target)
        printed.push(`$ npm run doctor -- ${STACK}\n${out.trim()}`)
        if (code === 0) break
        expect(round, out).toBeLessThan(MAX_ROUNDS)
        const { out: json } = await runDoctor(target, '--json')
        const findings: Finding[] = JSON.parse(json)
        const commands = findings.flatMap(({ fixes }) => fixes)
        for (const command of commands) await runFix(target, command)
        printed.push(commands.map((command) => `$ ${command}`).join('\n'))
      }
      const text = mask(printed.join('\n\n'), target)
      await expectInDocument(OPERATIONS, 'doctor transcript', `\`\`\`text\n${text}\n\`\`\``)
    } finally {
      plugins.close()
      await target.close()
    }
  },
  TIMEOUT_MS,
)

/**
 * Sets up a new machine, a zone whose route for the host belongs to another script, an AWS account with the Lambda
 * quota of a new one, and a stack file without secrets.
 */
async function setUpNewMachine(target: DeploymentTarget, pluginServer: string): Promise<void> {
  const { folder, env, zones, cloudflare, aws: account } = target
  await symlink(process.execPath, join(folder, 'bin/node'))
  await symlink(aws ?? '', join(folder, 'bin/aws'))
  await copyFile(join(ROOT, 'Pulumi.yaml'), join(folder, 'Pulumi.yaml'))
  const config = {
    'aws:region': 'eu-central-1',
    'cms-edge:CLOUDFLARE_ACCOUNT_ID': ACCOUNT_ID,
    'cms-edge:CLOUDFLARE_ZONE_ID': ZONE_ID,
    'cms-edge:SITE_HOST': HOST,
    'cms-edge:CMS_SITE_ID': 'harbour',
  }
  await writeFile(join(folder, `Pulumi.${STACK}.yaml`), yaml.stringify({ config }))
  zones.set(ZONE_ID, {
    name: 'news.example',
    accountId: ACCOUNT_ID,
    status: 'active',
    alwaysUseHttps: false,
  })
  putScript(cloudflare, 'old-site', {
    mainModule: 'index.js',
    content: 'export default {}',
    bindings: [],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [],
    settings: {},
  })
  putRoute(cloudflare, 'old', { zoneId: ZONE_ID, pattern: `${HOST}/*`, script: 'old-site' })
  account.concurrency = 10
  await mkdir(join(folder, 'state'))
  Object.assign(env, {
    HOME: folder,
    PULUMI_HOME: join(folder, '.pulumi'),
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `.*=${pluginServer}`,
    AWS_REGION: 'eu-central-1',
    AWS_EC2_METADATA_DISABLED: 'true',
  })
  for (const name of ['PULUMI_CONFIG_PASSPHRASE', 'CLOUDFLARE_API_TOKEN', 'AWS_ACCESS_KEY_ID']) {
    delete env[name]
  }
}

/** Runs a printed command in a shell, or simulates it; keeps its exports for the next command. */
async function runFix(target: DeploymentTarget, command: string): Promise<void> {
  const { folder, env, aws: account } = target
  // The real command would download the CLI, which is already on this machine.
  if (command.includes('get.pulumi.com'))
    return symlink(cli?.path ?? '', join(folder, 'bin/pulumi'))
  // The real command needs a login; the double of AWS checks only the id of the key.
  if (command.includes('aws configure export-credentials')) {
    Object.assign(env, { AWS_ACCESS_KEY_ID: account.accessKeyId })
    return
  }
  // A folder replaces the bucket of the state.
  const filledIn = command
    .replace('<token>', target.token)
    .replace(/s3:[^']+/, `file://${join(folder, 'state')}`)
  const script = `set -e\n${filledIn}\necho\nnode -p 'JSON.stringify(process.env)'`
  const { code, out, error } = await run('/bin/bash', ['-c', script], target)
  expect(code, `${filledIn}\n${error}`).toBe(0)
  Object.assign(env, JSON.parse(out.trim().split('\n').at(-1) ?? ''))
}

function runDoctor(target: DeploymentTarget, ...flags: string[]) {
  return run(process.execPath, [join(ROOT, 'ops/doctor/index.ts'), STACK, ...flags], target)
}

function run(file: string, args: string[], { env, folder }: DeploymentTarget) {
  return new Promise<{ code: number; out: string; error: string }>((resolve) => {
    execFile(file, args, { env, cwd: folder }, (error, out, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: stderr })
    })
  })
}

/**
 * Starts a server that responds to each download of a plugin by the
 * Pulumi CLI with an archive of an empty plugin.
 */
async function servePlugins() {
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  const server = createServer((request, response) => {
    const [, name = ''] = /(pulumi-resource-\w+)-v/.exec(request.url ?? '') ?? []
    const script = `printf '#!/bin/sh\\n' > ${name} && chmod +x ${name} && tar -cz ${name}`
    response.end(execFileSync('/bin/sh', ['-c', script], { cwd: folder }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      return rm(folder, { recursive: true })
    },
  }
}

/** Replaces parts of the output that differ between machines. */
function mask(text: string, { folder }: DeploymentTarget): string {
  return text.replaceAll(folder, '~').replaceAll(cli?.version ?? '', '3.x')
}

/** Returns the path of a command; undefined if it is not on PATH. */
function which(name: string): string | undefined {
  try {
    return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
