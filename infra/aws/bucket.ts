import * as aws from '@pulumi/aws'
import * as pulumi from '@pulumi/pulumi'
import type { Tier } from '../environments.ts'
import type { MediaSettings } from '../settings.ts'

/** A closed bucket for media and a credential that may read it and nothing else. */
export function declareBucket(settings: MediaSettings, { protect }: Tier) {
  const { STORE_BUCKET: name, STORE_REGION: region } = settings
  const bucket = new aws.s3.Bucket('bucket', { bucket: name, region }, { protect })
  harden(bucket, region)
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
        // With it S3 answers 404 for what is missing; without it, 403.
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

function harden({ bucket, arn }: aws.s3.Bucket, region: string) {
  const on = { bucket, region }
  const access = new aws.s3.BucketPublicAccessBlock('bucket', {
    ...on,
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
  })
  new aws.s3.BucketOwnershipControls('bucket', {
    ...on,
    rule: { objectOwnership: 'BucketOwnerEnforced' },
  })
  new aws.s3.BucketServerSideEncryptionConfiguration('bucket', {
    ...on,
    rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
  })
  const versioning = new aws.s3.BucketVersioning('bucket', {
    ...on,
    versioningConfiguration: { status: 'Enabled' },
  })
  new aws.s3.BucketLifecycleConfiguration(
    'bucket',
    {
      ...on,
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
      ...on,
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
