import * as aws from '@pulumi/aws'
import * as pulumi from '@pulumi/pulumi'
import type { Bundle } from '../bundle.ts'
import type { DeclaredDatabase } from './database.ts'

export interface LambdaArgs {
  functionName: string
  bundle: Bundle
  /** Additional files and folders of the function's archive, by name. */
  files?: Record<string, pulumi.asset.Asset | pulumi.asset.Archive>
  memoryMb: number
  timeoutSeconds: number
  /** Reserved concurrency; none by default. */
  concurrency?: number
  logDays: number
  database: DeclaredDatabase
  variables: Record<string, pulumi.Input<string>>
  /** Key that encrypts the variables; by default the AWS managed key of the account. */
  variablesKeyArn?: pulumi.Input<string>
  /** Additional policy statements of the function's role. */
  allow?: pulumi.Input<aws.iam.PolicyStatement>[]
  /** ARN of the permissions boundary of the function's role. */
  boundary: string | undefined
}

/** Declares an arm64 function in the network of the database, and its log group. */
export function declareLambda(name: string, args: LambdaArgs, options?: pulumi.ResourceOptions) {
  const { role, grants } = declareRole(name, args)
  const logGroup = new aws.cloudwatch.LogGroup(name, {
    name: `/aws/lambda/${args.functionName}`,
    retentionInDays: args.logDays,
  })
  return new aws.lambda.Function(
    name,
    {
      name: args.functionName,
      role: role.arn,
      runtime: aws.lambda.Runtime.NodeJS24dX,
      architectures: ['arm64'],
      handler: 'index.handler',
      code: new pulumi.asset.AssetArchive({
        'index.mjs': new pulumi.asset.FileAsset(args.bundle.file),
        ...args.files,
      }),
      memorySize: args.memoryMb,
      timeout: args.timeoutSeconds,
      reservedConcurrentExecutions: args.concurrency,
      vpcConfig: {
        subnetIds: args.database.subnetIds,
        securityGroupIds: [args.database.securityGroupId],
      },
      // At the default level, Lambda adds two log lines to each successful call, twice as long as the
      // function's own.
      loggingConfig: { logFormat: 'JSON', logGroup: logGroup.name, systemLogLevel: 'WARN' },
      kmsKeyArn: args.variablesKeyArn,
      environment: {
        variables: {
          DATABASE_HOST: args.database.host,
          DATABASE_PORT: pulumi.interpolate`${args.database.port}`,
          DATABASE_NAME: args.database.name,
          // By default, Node does not trust the certificate authorities that RDS uses.
          NODE_EXTRA_CA_CERTS: '/var/runtime/ca-cert.pem',
          ...args.variables,
        },
      },
    },
    pulumi.mergeOptions(options, { dependsOn: grants }),
  )
}

function declareRole(name: string, { allow = [], boundary }: LambdaArgs) {
  const role = new aws.iam.Role(name, {
    permissionsBoundary: boundary,
    assumeRolePolicy: JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service: 'lambda.amazonaws.com' },
        },
      ],
    }),
  })
  const network = new aws.iam.RolePolicyAttachment(name, {
    role: role.name,
    policyArn: aws.iam.ManagedPolicy.AWSLambdaVPCAccessExecutionRole,
  })
  if (allow.length === 0) return { role, grants: [network] }
  const policy = new aws.iam.RolePolicy(name, {
    role: role.name,
    policy: pulumi.jsonStringify({ Version: '2012-10-17', Statement: allow }),
  })
  return { role, grants: [network, policy] }
}
