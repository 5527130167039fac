import * as aws from '@pulumi/aws'

/**
 * Declares a key for variables that contain a password. A role that may read the function's configuration
 * cannot read its variables without `kms:Decrypt` on this key.
 */
export function declareVariablesKey(): aws.kms.Key {
  return new aws.kms.Key('variables', {
    description: 'Encrypts the variables of the migration function',
    deletionWindowInDays: 7,
  })
}
