import { derive } from './emulators/pulumi/stub-context.ts'
import type { Credential } from './emulators/s3/server.ts'

/** Returns the operator's credential, which may read and write every bucket; `.local/env` contains it. */
export function deriveOperatorCredential(seed: string): Credential {
  const Action = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListBucket']
  return {
    accessKeyId: 'AKIAOPERATOR',
    secretAccessKey: derive(seed, 'operator', 40),
    policies: [
      {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }],
      },
    ],
  }
}
