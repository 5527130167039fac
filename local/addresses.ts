import { environments } from '../infra/environments.ts'
import type { DataFolder } from './data-folder.ts'
import { ownsBackend } from './deploy/stack-overrides.ts'
import {
  type DatabaseServer,
  toDatabaseServer,
  toEmbeddedServer,
} from './emulators/postgres/postgres.ts'
import { derive } from './emulators/pulumi/stub-context.ts'
import { findFreePort, openPorts } from './lib/ports.ts'
import type { StartOptions } from './options.ts'

/** Ports and URLs of all services, chosen before any service starts. */
export interface Addresses {
  edgePort: number
  /** Port of workerd: the edge's port, unless the page reloader listens there and forwards requests. */
  workerdPort: number
  storePort: number
  /** Port of the Cloudflare API emulator. */
  cloudflareApiPort: number
  /** Port of the Pulumi provider that emulates AWS. */
  awsPort: number
  panelPort: number
  /** URL of each read API, by the stack that declares it. */
  apiUrls: Record<string, string>
  databaseServer: DatabaseServer
  /** Settings of the embedded PostgreSQL; undefined when DATABASE_URL names a running server. */
  embedded: { port: number; password: string } | undefined
  /** Password of the roles that the read APIs connect as. */
  apiRolePassword: string
}

/**
 * Chooses free ports; returns them and the URLs with these ports.
 *
 * @throws UserError when the requested port is in use
 */
export async function chooseAddresses(
  { port, watch }: StartOptions,
  { secretSeed }: DataFolder,
): Promise<Addresses> {
  const ports = openPorts()
  const edgePort = await ports.require(port)
  const workerdPort = watch ? await findFreePort() : edgePort
  const storePort = await ports.next()
  const apiUrls: Record<string, string> = {}
  for (const stack of Object.keys(environments).filter(ownsBackend)) {
    apiUrls[stack] = `http://127.0.0.1:${await ports.next()}/`
  }
  const { DATABASE_URL } = process.env
  const embedded =
    DATABASE_URL === undefined
      ? { port: await ports.next(), password: derive(secretSeed, 'postgres') }
      : undefined
  const databaseServer = embedded
    ? toEmbeddedServer(embedded.port, embedded.password)
    : toDatabaseServer(DATABASE_URL ?? '')
  const cloudflareApiPort = await ports.next()
  const awsPort = await ports.next()
  const panelPort = await ports.next()
  const apiRolePassword = derive(secretSeed, 'reader')
  return {
    edgePort,
    workerdPort,
    storePort,
    cloudflareApiPort,
    awsPort,
    panelPort,
    apiUrls,
    databaseServer,
    embedded,
    apiRolePassword,
  }
}
