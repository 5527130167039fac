import * as aws from '@pulumi/aws'
import * as pulumi from '@pulumi/pulumi'
import type { Tier } from '../environments.ts'
import type { BackendSettings } from '../settings.ts'
import { declareNetwork } from './network.ts'

export interface DeclaredDatabase {
  host: pulumi.Input<string>
  port: pulumi.Input<number>
  name: string
  /** Id of the database in IAM policies (`db-…`). */
  resourceId: pulumi.Input<string>
  /** Identifier of the instance, for alarms; undefined for an external database. */
  instance: pulumi.Output<string> | undefined
  /** VPC of the database, for peering; undefined for an external database. */
  vpcId: pulumi.Output<string> | undefined
  /** Subnets of the functions that connect to the database. */
  subnetIds: pulumi.Input<string>[]
  securityGroupId: pulumi.Input<string>
  /** Rules that must exist before a client can connect. */
  rules: pulumi.Resource[]
}

/**
 * Declares PostgreSQL in a network without internet access, or returns the external database of the settings.
 */
export function declareDatabase(settings: BackendSettings, tier: Tier): DeclaredDatabase {
  if (settings.kind === 'external-database') {
    return {
      host: settings.DATABASE_HOST,
      port: settings.DATABASE_PORT,
      name: settings.DATABASE_NAME,
      resourceId: settings.DATABASE_RESOURCE_ID,
      instance: undefined,
      vpcId: undefined,
      subnetIds: settings.DATABASE_SUBNET_IDS,
      securityGroupId: settings.DATABASE_SECURITY_GROUP_ID,
      rules: [],
    }
  }
  const network = declareNetwork({
    cidr: settings.NETWORK_CIDR ?? tier.networkCidr,
    cmsSecurityGroupId: settings.CMS_SECURITY_GROUP_ID,
  })
  const instance = declareInstance(settings, tier, network)
  return {
    host: instance.address,
    port: instance.port,
    name: settings.DATABASE_NAME,
    resourceId: instance.resourceId,
    instance: instance.identifier,
    vpcId: network.vpcId,
    subnetIds: network.subnetIds,
    securityGroupId: network.clientSecurityGroupId,
    rules: network.rules,
  }
}

function declareInstance(
  settings: BackendSettings,
  { name, protect, database }: Tier,
  network: ReturnType<typeof declareNetwork>,
) {
  const subnets = new aws.rds.SubnetGroup('database', { subnetIds: network.subnetIds })
  return new aws.rds.Instance(
    'database',
    {
      engine: 'postgres',
      engineVersion: '18',
      autoMinorVersionUpgrade: true,
      instanceClass: database.instanceClass,
      storageType: 'gp3',
      storageEncrypted: true,
      allocatedStorage: database.storageGb,
      maxAllocatedStorage: database.maxStorageGb,
      multiAz: database.multiAz,
      dbName: settings.DATABASE_NAME,
      username: settings.DATABASE_ADMIN_USER,
      password: settings.DATABASE_ADMIN_PASSWORD,
      iamDatabaseAuthenticationEnabled: true,
      caCertIdentifier: 'rds-ca-rsa2048-g1',
      dbSubnetGroupName: subnets.name,
      vpcSecurityGroupIds: [network.databaseSecurityGroupId],
      publiclyAccessible: false,
      backupRetentionPeriod: database.backupDays,
      copyTagsToSnapshot: true,
      deletionProtection: protect,
      skipFinalSnapshot: !database.finalSnapshot,
      // The id of the VPC makes the name unique, even if the stack is destroyed and created again.
      finalSnapshotIdentifier: database.finalSnapshot
        ? pulumi.interpolate`cms-edge-${name}-${network.vpcId}`
        : undefined,
    },
    { protect },
  )
}
