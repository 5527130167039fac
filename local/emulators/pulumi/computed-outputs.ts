import { derive, type StubContext } from './stub-context.ts'
import type { Properties, Value } from './values.ts'

/** Account number that AWS uses in its documentation. */
const ACCOUNT = '123456789012'

interface Declared {
  urn: string
  type: string
  name: string
  inputs: Properties
}

interface Computed {
  id: string
  outputs: Properties
}

type Compute = (declared: Declared, context: StubContext) => Computed

/** Computed outputs by resource type; a type without an entry is an error. */
const computeByType: Record<string, Compute> = {
  'cloudflare:index/workersKvNamespace:WorkersKvNamespace': computeHexId,
  'cloudflare:index/d1Database:D1Database': ({ urn }, { seed }) => {
    const uuid = toUuid(derive(seed, urn))
    return { id: uuid, outputs: { uuid, version: 'production' } }
  },
  'cloudflare:index/workersScript:WorkersScript': computeIdFrom('scriptName'),
  'cloudflare:index/workersScriptSubdomain:WorkersScriptSubdomain': computeIdFrom('accountId'),
  'cloudflare:index/workersCronTrigger:WorkersCronTrigger': computeIdFrom('scriptName'),
  'cloudflare:index/workersRoute:WorkersRoute': computeHexId,
  'cloudflare:index/workersCustomDomain:WorkersCustomDomain': computeHexId,
  'cloudflare:index/dnsRecord:DnsRecord': computeHexId,

  'aws:s3/bucket:Bucket': (declared, { region }) => {
    const bucket = physicalName(declared, 'bucket')
    const domain = `${bucket}.s3.${region}.amazonaws.com`
    return {
      id: bucket,
      outputs: { bucket, arn: `arn:aws:s3:::${bucket}`, region, bucketRegionalDomainName: domain },
    }
  },
  'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock': computeIdFrom('bucket'),
  'aws:s3/bucketOwnershipControls:BucketOwnershipControls': computeIdFrom('bucket'),
  'aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration':
    computeIdFrom('bucket'),
  'aws:s3/bucketVersioning:BucketVersioning': computeIdFrom('bucket'),
  'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration': computeIdFrom('bucket'),
  'aws:s3/bucketPolicy:BucketPolicy': computeIdFrom('bucket'),

  'aws:iam/user:User': computeNamed('iam', (name) => `user/${name}`),
  'aws:iam/userPolicy:UserPolicy': computeNamed('iam', (name) => `user-policy/${name}`),
  'aws:iam/accessKey:AccessKey': ({ urn }, { seed }) => ({
    id: `AKIA${derive(seed, `${urn}#id`, 16).toUpperCase()}`,
    outputs: { secret: derive(seed, `${urn}#secret`, 40) },
  }),
  'aws:iam/role:Role': computeNamed('iam', (name) => `role/${name}`),
  'aws:iam/rolePolicy:RolePolicy': computeNamed('iam', (name) => `role-policy/${name}`),
  'aws:iam/rolePolicyAttachment:RolePolicyAttachment': computeHexId,

  'aws:ec2/vpc:Vpc': computePrefixed('vpc'),
  'aws:ec2/subnet:Subnet': computePrefixed('subnet'),
  'aws:ec2/securityGroup:SecurityGroup': computePrefixed('sg'),
  'aws:ec2/defaultSecurityGroup:DefaultSecurityGroup': computePrefixed('sg'),
  'aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule': computePrefixed('sgr'),
  'aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule': computePrefixed('sgr'),

  'aws:rds/subnetGroup:SubnetGroup': computeNamed('rds', (name) => `subgrp:${name}`),
  'aws:rds/parameterGroup:ParameterGroup': computeNamed('rds', (name) => `pg:${name}`),
  'aws:rds/instance:Instance': (declared, { seed, region }) => {
    const identifier = physicalName(declared, 'identifier')
    const address = `${identifier}.${derive(seed, declared.urn, 12)}.${region}.rds.amazonaws.com`
    const resourceId = `db-${derive(seed, declared.urn, 26).toUpperCase()}`
    const arn = `arn:aws:rds:${region}:${ACCOUNT}:db:${identifier}`
    const port = declared.inputs.port ?? 5432
    return {
      id: resourceId,
      outputs: { identifier, address, port, endpoint: `${address}:${port}`, resourceId, arn },
    }
  },

  'aws:lambda/function:Function': computeNamed('lambda', (name) => `function:${name}`),
  'aws:lambda/functionUrl:FunctionUrl': (declared, { seed, region, functionUrl }) => {
    const urlId = derive(seed, declared.urn)
    const url = functionUrl ?? `https://${urlId}.lambda-url.${region}.on.aws/`
    return { id: String(declared.inputs.functionName), outputs: { functionUrl: url, urlId } }
  },
  'aws:lambda/permission:Permission': computeHexId,
  'aws:lambda/invocation:Invocation': (declared, context) => ({
    ...computeHexId(declared, context),
    outputs: { result: '{}' },
  }),

  'aws:kms/key:Key': ({ urn }, { seed, region }) => {
    const keyId = toUuid(derive(seed, urn))
    return {
      id: keyId,
      outputs: { keyId, arn: `arn:aws:kms:${region}:${ACCOUNT}:key/${keyId}` },
    }
  },

  'aws:cloudwatch/logGroup:LogGroup': computeNamed('logs', (name) => `log-group:${name}`),
  'aws:cloudwatch/metricAlarm:MetricAlarm': computeNamed('cloudwatch', (name) => `alarm:${name}`),
}

/** Returns id and computed outputs of a resource, or undefined when its type is not in the table. */
export function computeOutputs(declared: Declared, context: StubContext): Computed | undefined {
  if (declared.type.startsWith('pulumi:providers:')) return computeHexId(declared, context)
  return computeByType[declared.type]?.(declared, context)
}

/** Results of data sources, by token. */
const dataSourceResults: Record<string, (context: StubContext) => Properties> = {
  'aws:index/getCallerIdentity:getCallerIdentity': () => ({ accountId: ACCOUNT, id: ACCOUNT }),
  'aws:index/getRegion:getRegion': ({ region }) => ({ region, name: region, id: region }),
  'aws:index/getAvailabilityZones:getAvailabilityZones': ({ region }) => ({
    // Without zone b, as in many accounts.
    names: ['a', 'c', 'd'].map((zone) => `${region}${zone}`),
    id: region,
  }),
}

/** Returns the result of a data source, or undefined when it is not in the table. */
export function readDataSource(token: string, context: StubContext): Properties | undefined {
  return dataSourceResults[token]?.(context)
}

function computeHexId({ urn }: Declared, { seed }: StubContext): Computed {
  return { id: derive(seed, urn), outputs: {} }
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function computePrefixed(prefix: string): Compute {
  return ({ urn }, { seed, region }) => {
    const id = `${prefix}-${derive(seed, urn, 17)}`
    return { id, outputs: { arn: `arn:aws:ec2:${region}:${ACCOUNT}:${prefix}/${id}` } }
  }
}

function computeIdFrom(property: string): Compute {
  return ({ inputs }) => ({ id: String(inputs[property]), outputs: {} })
}

function computeNamed(service: string, path: (name: string) => string): Compute {
  return (declared, { region }) => {
    const name = physicalName(declared, 'name')
    const arnRegion = service === 'iam' ? '' : region
    return {
      id: name,
      outputs: { name, arn: `arn:aws:${service}:${arnRegion}:${ACCOUNT}:${path(name)}` },
    }
  }
}

// Without a physical name, a provider appends seven digits to the logical one.
function physicalName({ inputs, name, urn }: Declared, property: string): string {
  const declared: Value | undefined = inputs[property]
  return typeof declared === 'string' ? declared : `${name}-${derive(urn, property, 7)}`
}
