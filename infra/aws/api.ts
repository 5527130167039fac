import { createHash } from 'node:crypto'
import * as aws from '@pulumi/aws'
import * as pulumi from '@pulumi/pulumi'
import { type Bundle, MIGRATE_FOLDERS } from '../bundle.ts'
import { type Tier, toMigrateFunctionName } from '../environments.ts'
import type { BackendSettings } from '../settings.ts'
import { declareAlarms } from './alarms.ts'
import { type DeclaredDatabase, declareDatabase } from './database.ts'
import { declareLambda } from './lambda.ts'
import { declareVariablesKey } from './variables-key.ts'

export interface ApiBundles {
  api: Bundle
  migrate: Bundle
  /** SHA-256 of the folder of migrations. */
  migrationsSha256: string
}

/** Declares the read API: database, migration, function, public URL and alarms. */
export function declareApi(settings: BackendSettings, tier: Tier, bundles: ApiBundles) {
  const database = declareDatabase(settings, tier)
  const migrateFunction = declareMigrateFunction(settings, tier, bundles.migrate, database)
  const migration = declareMigration(settings, bundles, database, migrateFunction.name)
  // The API function depends on the migration: if this fails, its previous version stays deployed.
  const apiFunction = declareApiFunction(settings, tier, bundles.api, database, {
    userArn: toUserArn(migrateFunction.arn, database.resourceId, settings.DATABASE_USER),
    dependsOn: [migration],
  })
  declareAlarms({
    tier,
    functionName: apiFunction.name,
    database,
    topicArn: settings.ALARM_TOPIC_ARN,
  })
  return {
    apiBaseUrl: declareUrl(apiFunction.name),
    apiFunction: apiFunction.name,
    migrateFunction: migrateFunction.name,
    databaseHost: pulumi.output(database.host),
    vpcId: database.vpcId,
  }
}

function declareMigrateFunction(
  settings: BackendSettings,
  tier: Tier,
  bundle: Bundle,
  database: DeclaredDatabase,
) {
  return declareLambda('migrate', {
    functionName: toMigrateFunctionName(tier),
    bundle,
    files: toArchives(MIGRATE_FOLDERS),
    memoryMb: 512,
    timeoutSeconds: 600,
    logDays: tier.logDays,
    database,
    boundary: settings.PERMISSIONS_BOUNDARY_ARN,
    variablesKeyArn: declareVariablesKey().arn,
    variables: {
      DATABASE_USER: settings.DATABASE_USER,
      DATABASE_ADMIN_USER: settings.DATABASE_ADMIN_USER,
      DATABASE_ADMIN_PASSWORD: settings.DATABASE_ADMIN_PASSWORD,
    },
  })
}

/** Declares the invocation of the migration function. It runs again when one of its triggers changes. */
function declareMigration(
  settings: BackendSettings,
  { migrate, migrationsSha256 }: ApiBundles,
  database: DeclaredDatabase,
  functionName: pulumi.Output<string>,
) {
  return new aws.lambda.Invocation(
    'migrate',
    {
      functionName,
      input: JSON.stringify({ action: 'migrate' }),
      triggers: {
        migrations: migrationsSha256,
        code: migrate.sha256,
        // The migration function grants read access to this database role.
        reader: settings.DATABASE_USER,
        database: database.resourceId,
      },
    },
    { dependsOn: database.rules },
  )
}

function declareApiFunction(
  settings: BackendSettings,
  tier: Tier,
  bundle: Bundle,
  database: DeclaredDatabase,
  { userArn, dependsOn }: { userArn: pulumi.Output<string>; dependsOn: pulumi.Resource[] },
) {
  const extraKeys = settings.CMS_API_KEYS_EXTRA
  const extraSecrets = settings.CMS_PREVIEW_SECRETS_EXTRA
  return declareLambda(
    'api',
    {
      functionName: `cms-edge-api-${tier.name}`,
      bundle,
      memoryMb: tier.api.memoryMb,
      timeoutSeconds: 30,
      concurrency: tier.api.concurrency,
      logDays: tier.logDays,
      database,
      boundary: settings.PERMISSIONS_BOUNDARY_ARN,
      variables: {
        DATABASE_USER: settings.DATABASE_USER,
        PUBLIC_V1_ENABLED: String(settings.PUBLIC_V1_ENABLED),
        CMS_API_KEY_DIGESTS: toDigests(settings.CMS_API_KEY, extraKeys),
        CMS_PREVIEW_DIGESTS: toDigests(settings.ADMIN_PURGE_SECRET, extraSecrets),
      },
      allow: [{ Effect: 'Allow', Action: ['rds-db:connect'], Resource: [userArn] }],
    },
    { dependsOn },
  )
}

// The URL is public: requests have the API key in the header Authorization, which a signature of AWS would
// need too.
function declareUrl(functionName: pulumi.Output<string>): pulumi.Output<string> {
  const url = new aws.lambda.FunctionUrl('api', {
    functionName,
    authorizationType: 'NONE',
    // Functions in a VPC cannot stream responses (Lambda developer guide, "VPC compatibility with response
    // streaming").
    invokeMode: 'BUFFERED',
  })
  // A public URL needs both permissions (docs.aws.amazon.com/lambda/latest/dg/urls-auth.html).
  new aws.lambda.Permission('api-url', {
    function: functionName,
    principal: '*',
    action: 'lambda:InvokeFunctionUrl',
    functionUrlAuthType: 'NONE',
  })
  new aws.lambda.Permission('api-url-invoke', {
    function: functionName,
    principal: '*',
    action: 'lambda:InvokeFunction',
    invokedViaFunctionUrl: true,
  })
  return url.functionUrl.apply((origin) => `${origin.replace(/\/$/, '')}/public/v2`)
}

function toArchives(folders: Record<string, string>): Record<string, pulumi.asset.Archive> {
  return Object.fromEntries(
    Object.entries(folders).map(([name, path]) => [
      name,
      new pulumi.asset.FileArchive(`../${path}`),
    ]),
  )
}

/**
 * Returns the SHA-256 of each secret in lower-case hex, separated by commas. The API gets no secret itself.
 */
function toDigests(
  first: pulumi.Output<string>,
  extra: pulumi.Output<string[]> = pulumi.secret([]),
): pulumi.Output<string> {
  return pulumi.all([first, extra]).apply(([own, others]) => [own, ...others].map(sha256).join(','))
}

/** Returns the ARN of a database user, in the partition, region and account of a function. */
function toUserArn(
  functionArn: pulumi.Output<string>,
  resourceId: pulumi.Input<string>,
  user: string,
): pulumi.Output<string> {
  return pulumi.all([functionArn, resourceId]).apply(([arn, id]) => {
    const [, partition, , region, account] = arn.split(':')
    return `arn:${partition}:rds-db:${region}:${account}:dbuser:${id}/${user}`
  })
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
