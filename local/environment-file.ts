import { chmod, writeFile } from 'node:fs/promises'
import type { DeployedEnvironment } from './deploy/environments.ts'
import type { CloudflareAccount } from './emulators/cloudflare/account.ts'

interface EnvironmentFileContents {
  environments: readonly DeployedEnvironment[]
  cloudflare: CloudflareAccount
  edgePort: number
  /** Database URLs with the owner's credentials, by the stack that declares the database. */
  databaseUrls: Readonly<Record<string, string>>
  extraVariables: Readonly<Record<string, string>>
}

/** Writes all addresses and secrets to a file with mode 0600 that shells and dotenv parsers can read. */
export async function writeEnvironmentFile(
  path: string,
  contents: EnvironmentFileContents,
): Promise<void> {
  const { environments, cloudflare, edgePort, databaseUrls, extraVariables } = contents
  const entries = environments.flatMap(({ stack, script, homeUrl, urls }) => [
    [`${stack}_URL`, (homeUrl ?? urls[0] ?? '').replace(/\/$/, '')],
    ...(cloudflare.scripts.get(script)?.bindings ?? []).flatMap((binding) =>
      'text' in binding ? [[`${stack}_${binding.name}`, binding.text]] : [],
    ),
  ])
  const databases = Object.entries(databaseUrls).map(([stack, url]) => [
    `${stack}_DATABASE_URL`,
    url,
  ])
  const edge = ['EDGE_URL', `http://127.0.0.1:${edgePort}`]
  const lines = [edge, ...entries, ...databases, ...Object.entries(extraVariables)].map(
    ([name = '', value = '']) => `${name.replaceAll('-', '_').toUpperCase()}=${quote(value)}\n`,
  )
  await writeFile(path, lines.join(''), { mode: 0o600 })
  await chmod(path, 0o600)
}

// Shells and dotenv parsers have no escape sequence in common, so a value with ' must not have ", $, ` or \.
function quote(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`
}
