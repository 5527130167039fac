import * as aws from '@pulumi/aws'

const POSTGRES = { ipProtocol: 'tcp', fromPort: 5432, toPort: 5432 }

export interface NetworkArgs {
  /** A block of 256 addresses, such as `10.42.0.0/24`. */
  cidr: string
  /** Security group of the CMS, in this network or a peered one: `sg-…`, or `<account>/sg-…`. */
  cmsSecurityGroupId: string | undefined
}

/**
 * Declares two private subnets without gateway or NAT. Functions in them need no internet access: they sign
 * tokens for the database themselves, and the Lambda service collects their logs.
 */
export function declareNetwork({ cidr, cmsSecurityGroupId }: NetworkArgs) {
  const vpc = new aws.ec2.Vpc('network', {
    cidrBlock: cidr,
    enableDnsHostnames: true,
    enableDnsSupport: true,
  })
  const zones = aws.getAvailabilityZonesOutput({
    filters: [{ name: 'zone-type', values: ['availability-zone'] }],
  })
  const subnets = ['a', 'b'].map(
    (name, index) =>
      new aws.ec2.Subnet(
        `private-${name}`,
        {
          vpcId: vpc.id,
          cidrBlock: cidr.replace(/0\/24$/, `${index * 64}/26`),
          availabilityZone: zones.names[index],
        },
        // If AWS adds a zone, `zones.names` may have another order. That must not replace the subnets.
        { ignoreChanges: ['availabilityZone'] },
      ),
  )
  const client = declareSecurityGroup(
    'database-client',
    'Reaches the database and nothing else',
    vpc,
  )
  const database = declareSecurityGroup('database', 'Reached by its clients only', vpc)
  const egress = new aws.vpc.SecurityGroupEgressRule('database-client', {
    ...POSTGRES,
    securityGroupId: client.id,
    referencedSecurityGroupId: database.id,
  })
  const sources = {
    'from-client': client.id,
    ...(cmsSecurityGroupId && { 'from-cms': cmsSecurityGroupId }),
  }
  const ingress = Object.entries(sources).map(
    ([name, source]) =>
      new aws.vpc.SecurityGroupIngressRule(name, {
        ...POSTGRES,
        securityGroupId: database.id,
        referencedSecurityGroupId: source,
      }),
  )
  return {
    vpcId: vpc.id,
    subnetIds: subnets.map(({ id }) => id),
    clientSecurityGroupId: client.id,
    databaseSecurityGroupId: database.id,
    rules: [egress, ...ingress],
  }
}

function declareSecurityGroup(name: string, description: string, vpc: aws.ec2.Vpc) {
  return new aws.ec2.SecurityGroup(name, { vpcId: vpc.id, description })
}
