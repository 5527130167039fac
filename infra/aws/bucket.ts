import * as aws from '@pulumi/aws'
import * as pulumi from '@pulumi/pulumi'
import type { Tier } from '../environments.ts'
import type { MediaSettings } from '../settings.ts'

/** Declares a private bucket for media, and a credential that may only read it. */
export function declareBucket(settings: MediaSettings, { protect }: Tier) {
  const { STORE_BUCKET: name, STORE_REGION: region } = settings
  const bucket = new aws.s3.Bucket('bucket', { bucket: name, region }, { protect })
  declareHardening(bucket, region)
  const reader = new aws.iam.User('media-reader', {
    name: `${name}-reader`,
    path: '/cms-edge/',
    permissionsBoundary: settings.PERMISSIONS_BOUNDARY_ARN,
  })
  new aws.iam.UserPolicy('media-reader', {
    user: reader.name,
    policy: pulumi.jsonStringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['s3:GetObject'],
          Resource: [pulumi.interpolate`${bucket.arn}/*`],
        },
        // With this permission S3 responds with 404 to a missing key, without it with 403.
        { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: [bucket.arn] },
      ],
    }),
  })
  const key = new aws.iam.AccessKey('media-reader', { user: reader.name })
  return {
    bucket: bucket.bucket,
    accessKeyId: pulumi.secret(key.id),
    secretAccessKey: pulumi.secret(key.secret),
  }
}

function declareHardening({ bucket, arn }: aws.s3.Bucket, region: string) {
  const target = { bucket, region }
  const access = new aws.s3.BucketPublicAccessBlock('bucket', {
    ...target,
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
  })
  new aws.s3.BucketOwnershipControls('bucket', {
    ...target,
    rule: { objectOwnership: 'BucketOwnerEnforced' },
  })
  new aws.s3.BucketServerSideEncryptionConfiguration('bucket', {
    ...target,
    rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
  })
  const versioning = new aws.s3.BucketVersioning('bucket', {
    ...target,
    versioningConfiguration: { status: 'Enabled' },
  })
  new aws.s3.BucketLifecycleConfiguration(
    'bucket',
    {
      ...target,
      rules: [
        {
          id: 'expire-leftovers',
          status: 'Enabled',
          filter: { prefix: '' },
          noncurrentVersionExpiration: { noncurrentDays: 30 },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
        },
      ],
    },
    { dependsOn: [versioning] },
  )
  new aws.s3.BucketPolicy(
    'bucket',
    {
      ...target,
      policy: pulumi.jsonStringify({
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'TlsOnly',
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [arn, pulumi.interpolate`${arn}/*`],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      }),
    },
    { dependsOn: [access] },
  )
}
